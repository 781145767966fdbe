// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/walk/remote.h"

#include <stddef.h>

struct remote *remote_create(enum unwind_arch arch)
{
	(void)arch;
	return NULL;
}

void remote_destroy(struct remote *remote)
{
	(void)remote;
}

void remote_forget(struct remote *remote)
{
	(void)remote;
}

void remote_run(struct remote *remote, struct remote_walk *walk, const struct frame_regs *regs,
	taddr lookup)
{
	(void)remote;
	(void)regs;
	(void)lookup;
	walk->end = FRAME_END_NO_STATE;
	walk->end_address = 0;
}

bool remote_is_built(void)
{
	return false;
}
