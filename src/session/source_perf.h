// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SOURCE_PERF_H
#define SRC_SESSION_SOURCE_PERF_H

/**
 * Events that perf records tell of: page faults, and with --observe calls. The task runs on
 * meanwhile, so all that is known of the moment is in the record.
 */

#include <stdint.h>

#include "session/source.h"

struct record;
struct session;

struct source_perf {
	struct session_source base;
	struct session *session;
	/** What is being handled, or NULL: then it happens now, and its stack is not known. */
	const struct record *record;
};

/** task->origin of a task that only records tell of. */
struct source_perf_task {
	/** Number of the call under way. */
	uint64_t number;
	/** Nanoseconds it has run, and since when (CLOCK_MONOTONIC) it runs, or 0. */
	uint64_t ran, runs_since;
	/** Some record told whether it runs. */
	bool schedule_seen;
};

void source_perf_init(struct source_perf *source, struct session *session);
/** A task that only records tell of; it must not be known yet. */
struct session_task *source_perf_task(struct source_perf *source, struct task_id id, int tgid);
/** What @record says about whether the task runs; tells outputs that need it. */
void source_perf_account(struct session_task *task, const struct record *record);

#endif
