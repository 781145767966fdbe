// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/error.h"
#include "unwind/debuginfod.h"

// Instead of debuginfod.c where libdebuginfod is missing: nothing is ever started.

struct error *debuginfod_start(const struct debuginfod_options *options, struct debuginfod **ret)
{
	(void)options;
	(void)ret;
	return error_create("this build of tracer cannot ask debuginfod servers");
}

void debuginfod_stop(struct debuginfod *debuginfod)
{
	(void)debuginfod;
}

size_t debuginfod_request(
	struct debuginfod *debuginfod, const uint8_t *id, size_t size, const char *label)
{
	(void)debuginfod;
	(void)id;
	(void)size;
	(void)label;
	return 0;
}

bool debuginfod_poll(struct debuginfod *debuginfod, size_t number, struct debuginfod_answer *ret)
{
	(void)debuginfod;
	(void)number;
	*ret = (struct debuginfod_answer){0};
	return true;
}

void debuginfod_wait(struct debuginfod *debuginfod)
{
	(void)debuginfod;
}

bool debuginfod_has_news(struct debuginfod *debuginfod)
{
	(void)debuginfod;
	return false;
}

void debuginfod_cancel(struct debuginfod *debuginfod)
{
	(void)debuginfod;
}
