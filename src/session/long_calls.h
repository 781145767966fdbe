// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_LONG_CALLS_H
#define SRC_SESSION_LONG_CALLS_H

/**
 * Which calls still run after some time: to be shown, with their stacks. The tasks are not
 * disturbed: their registers were taken when they entered the call, and until it ends
 * nothing of theirs changes the stack. All functions do nothing if nobody asked.
 */

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct session;
struct session_task;

struct long_calls {
	/** How long a call may run before it is shown, in ns; 0: none is. */
	uint64_t after;
	/** Tasks in calls that were not shown yet, in the order in which they began. */
	struct session_task *first, *last;
	/** Sends SIGCHLD, which ends trace_next()'s wait. */
	timer_t timer;
	bool has_timer;
	/** When the timer fires, in ns of CLOCK_MONOTONIC; in the past: it is not set. */
	uint64_t wake_at;
};

/** Once the signals are blocked. */
void session_long_calls_start(struct session *session, uint64_t after);
void session_long_calls_stop(struct session *session);
/** The call of @task was shown to begin; the task is stopped at its entry. */
void session_long_calls_add(struct session *session, struct session_task *task);
/** The call is over. */
void session_long_calls_remove(struct session *session, struct session_task *task);
/** Whether a call has run long enough by now. */
bool session_long_calls_due(struct session *session);
/** Takes out one that has by @now; NULL: no more, and the timer is set for the next. */
struct session_task *session_long_calls_next(struct session *session, struct timespec now);

#endif
