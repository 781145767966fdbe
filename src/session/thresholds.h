// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_THRESHOLDS_H
#define SRC_SESSION_THRESHOLDS_H

/** What is left out by --duration, --min-stack, --filter-pids, --max-events, -e signal= and -P. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct session;
struct session_task;
struct unwind_stack;

struct threshold_options {
	/** Calls must have taken so many nanoseconds. */
	uint64_t duration;
	/** Stacks must have so many frames; calls and faults without stack have none. */
	size_t frames;
	/** Calls, faults and signals after which all tasks are let go; 0 for no limit. */
	uint64_t events;
	/** --syscall-limit: the same after so many calls. */
	uint64_t calls;
	/** Processes and threads of which nothing is shown. Borrowed. */
	const int *hidden;
	size_t hidden_count;
};

/** Only the end of a call tells whether it is shown. */
bool session_decides_late(const struct session *session);
/** Whether a call that took @duration is shown; @stack may be NULL. */
bool session_passes_thresholds(
	const struct session *session, struct timespec duration, const struct unwind_stack *stack);
/** The same of what has no duration. */
bool session_is_deep_enough(const struct session *session, const struct unwind_stack *stack);
bool session_hides(const struct session *session, const struct session_task *task);
/** -e signal= decides what is shown, the end by a signal included. */
bool session_shows_signal(const struct session *session, int signal);
/** Whether signals and the end of @task are told: not if -P has shown nothing of it. */
bool session_is_told(const struct session *session, const struct session_task *task);
/** One more event is shown; one more call. */
void session_count_event(struct session *session);
void session_count_call(struct session *session);
/** As many as asked for were shown. */
bool session_is_full(const struct session *session);

#endif
