// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_PERF_EVENTS_H
#define SRC_SESSION_PERF_EVENTS_H

/**
 * Page faults as a second source of events beside stops: watched by perf events,
 * shown in order of time with the calls. All that was recorded is shown before a stop
 * is handled, so what is mapped is still what it was. All functions do nothing when
 * no faults are asked for.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "perf/governor.h"
#include "session/source_perf.h"

struct error;
struct record;
struct session;
struct session_task;
struct trace_options;

/** Records of a task that we have not seen yet: its parent's call is still under way. */
struct waiting {
	struct arena arena;
	ARRAY(struct record *) records;
};

struct perf_events {
	/** Answers what handlers ask about a record. */
	struct source_perf source;
	struct sampler *sampler;
	struct governor governor;
	/** Our thread, and whether it was told that there is something. */
	int thread;
	atomic_bool woken;
	/** tid to struct session_task. */
	struct hash tasks;
	/** tid to struct waiting. */
	struct hash waiting;
	size_t waiting_count;
};

/** Before the trace is created: fills in what it must call. */
struct error *perf_events_create(struct session *session, struct trace_options *trace);
/** The same where calls are observed: those that fulfil @call_filter, see sampler.h. */
struct error *perf_events_create_observer(struct session *session, const char *call_filter);
/** The running task @tid is about to be attached to. */
void perf_events_attaching(struct session *session, int tid);
/** The command @tid is stopped before its program. */
struct error *perf_events_launched(struct session *session, int tid);
/** All tasks are there: the rings are emptied from now on. */
struct error *perf_events_start(struct session *session);
/** Shows what happened up to now. */
void perf_events_drain(struct session *session);
/** A task appears; goes; changed its tid by exec. */
void perf_events_task(struct session *session, struct session_task *task);
void perf_events_forget(struct session *session, struct session_task *task);
void perf_events_renamed(struct session *session, struct session_task *task, int former_tid);
/** The task executed a program: it is watched again if that ended it. */
void perf_events_executed(struct session *session, struct session_task *task);
/** Before the tasks are let go: none waits for us any more. */
void perf_events_release(struct session *session);
/** Says what was lost, and frees everything. */
void perf_events_finish(struct session *session);

/** Hands a RECORD_FAULT of @task to the handler. */
void perf_events_fault(
	struct session *session, struct session_task *task, const struct record *record);

#endif
