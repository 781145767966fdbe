// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_OUTPUT_RUN_H
#define TESTS_UNIT_OUTPUT_RUN_H

/** For tests of formats: an output that writes to a file, and what it wrote. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decode/call.h"
#include "event/event.h"
#include "output/outputs.h"
#include "output/sink.h"
#include "schema/syscall.h"
#include "unit.h"

struct run {
	struct sink *sink;
	struct outputs outputs;
	char path[32];
	/** What was written; only valid after run_end(). */
	char text[65536];
};

/** No output yet: for outputs_add(). */
static inline void run_open(struct run *run)
{
	int fd;

	snprintf(run->path, sizeof(run->path), "/tmp/tracer-output-XXXXXX");
	fd = mkstemp(run->path);
	assert_true(fd >= 0);
	close(fd);
	assert_null(sink_open(run->path, /* append= */ false, &run->sink));
	run->outputs = (struct outputs){0};
}

static inline void run_start(
	struct run *run, const char *format, const struct output_options *options)
{
	run_open(run);
	assert_non_null(output_format_by_name(format));
	outputs_add(&run->outputs,
		&(struct output_request){.format = output_format_by_name(format)}, options,
		run->sink);
}

/** Finishes the output and keeps its text. */
static inline void run_end(struct run *run)
{
	FILE *file;
	size_t length;

	outputs_finish(&run->outputs);
	sink_close(run->sink);
	file = fopen(run->path, "r");
	assert_non_null(file);
	length = fread(run->text, 1, sizeof(run->text) - 1, file);
	run->text[length] = '\0';
	fclose(file);
	unlink(run->path);
}

static inline void run_begin(struct run *run, const struct event *event)
{
	outputs_call_begin(&run->outputs, event);
}

static inline void run_call_end(struct run *run, const struct event *event)
{
	outputs_call_end(&run->outputs, event);
}

static inline void run_call_runs(struct run *run, const struct event *event)
{
	outputs_call_runs(&run->outputs, event);
}

static inline void run_event(struct run *run, const struct event *event)
{
	outputs_event(&run->outputs, event);
}

#endif
