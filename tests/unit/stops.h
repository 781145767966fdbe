// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_STOPS_H
#define TESTS_UNIT_STOPS_H

/**
 * For tests of process control: runs a trace to its end and keeps what came, to be
 * looked at afterwards. Every test of this kind has a limit: alarm() ends the program.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "proc/task_status.h"
#include "trace/trace.h"
#include "unit.h"

enum {
	/** Seconds; far more than any case takes, for machines that are busy. */
	CASE_LIMIT = 50,
};

struct seen {
	struct stop stop;
	/** Of the tracee at that time. */
	struct task_id id;
	int tgid;
	bool in_syscall;
	size_t count;
};

struct run {
	struct trace *trace;
	ARRAY(struct seen) stops;
	int tid;
};

static inline struct trace *stops_create(bool follow)
{
	struct trace_options options = {.follow = follow};
	struct trace *trace = NULL;

	alarm(CASE_LIMIT);
	assert_null(trace_create(&options, &trace));
	return trace;
}

/** The next stop, passing over moments of rest; false when no task is left. */
static inline bool stops_next(struct trace *trace, struct stop *ret)
{
	for (;;) {
		enum trace_result result = trace_next(trace, ret);

		assert_int_not_equal(result, TRACE_INTERRUPTED);
		if (result != TRACE_IDLE)
			return result == TRACE_STOP;
	}
}

static inline void stops_keep(struct run *run, const struct stop *stop)
{
	*array_add(&run->stops) = (struct seen){
		.stop = *stop,
		.id = stop->tracee->id,
		.tgid = stop->tracee->tgid,
		.in_syscall = stop->tracee->in_syscall,
		.count = trace_count(run->trace),
	};
}

/** To the end of all tasks. */
static inline void stops_run(struct run *run)
{
	struct stop stop;

	while (stops_next(run->trace, &stop)) {
		stops_keep(run, &stop);
		trace_resume(run->trace, &stop, /* skip_exit= */ false);
	}
	assert_int_equal(trace_count(run->trace), 0);
}

static inline struct run stops_launch(bool follow, char *const argv[])
{
	struct run run = {.trace = stops_create(follow)};
	struct error *error = trace_launch(run.trace, argv, &run.tid);

	if (error)
		fail_msg("%s", error->message);
	return run;
}

static inline struct run stops_of(bool follow, char *const argv[])
{
	struct run run = stops_launch(follow, argv);

	stops_run(&run);
	return run;
}

static inline void stops_end(struct run *run)
{
	trace_destroy(run->trace);
	array_deinit(&run->stops);
	alarm(0);
}

static inline size_t stops_count(const struct run *run, enum stop_kind kind)
{
	size_t count = 0;

	array_for_each (seen, &run->stops)
		count += seen->stop.kind == kind;
	return count;
}

static inline const struct seen *stops_first(const struct run *run, enum stop_kind kind)
{
	array_for_each (seen, &run->stops) {
		if (seen->stop.kind == kind)
			return seen;
	}
	fail_msg("no stop of kind %d", kind);
	return NULL;
}

/** A test program's path, from the folder in the environment; allocated. */
static inline char *stops_program(const char *name)
{
	const char *folder = getenv("TEST_PROGRAMS");
	char *path = NULL;

	if (!folder)
		fail_msg("TEST_PROGRAMS is not set");
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		abort();
	return path;
}

/** The state letter of a task, 0 if it is gone. */
static inline char stops_state(int tid)
{
	struct task_status status;

	return task_status_read(tid, &status) ? status.state : '\0';
}

/** Waits until the task is in @state. */
static inline void stops_await_state(int tid, char state)
{
	while (stops_state(tid) != state) {
		if (!stops_state(tid))
			fail_msg("task %d is gone", tid);
		usleep(1000);
	}
}

#endif
