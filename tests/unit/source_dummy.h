// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_SOURCE_DUMMY_H
#define TESTS_UNIT_SOURCE_DUMMY_H

/**
 * An event source without any process: a test says what happened, when, and what was in memory.
 * The worked example of doc/add-an-event-source.md.
 */

#include "proc/view_recorded.h"
#include "session/source.h"

struct session;

struct source_dummy {
	struct session_source base;
	struct session *session;
	/** The time of the event that is being handled, by both clocks. */
	struct timespec time;
	/** The memory of all its tasks. */
	struct view_recorded memory;
	/** Tasks that were freed. */
	unsigned gone;
};

void source_dummy_init(struct source_dummy *source, struct session *session);
void source_dummy_deinit(struct source_dummy *source);
/** A task appears. */
struct session_task *source_dummy_task(struct source_dummy *source, int tid, const char *comm);
/** @task enters call @number of x86-64; its exit follows. */
void source_dummy_enter(struct source_dummy *source, struct session_task *task, uint64_t number,
	const uint64_t args[6]);
void source_dummy_leave(struct source_dummy *source, struct session_task *task, int64_t result);
/** @task ends, and is freed. */
void source_dummy_exit(struct source_dummy *source, struct session_task *task, int status);

#endif
