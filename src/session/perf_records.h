// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_PERF_RECORDS_H
#define SRC_SESSION_PERF_RECORDS_H

/** Calls as perf records tell them: records become stops for the handlers, tasks come and go. */

#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "base/hash.h"
#include "session/observe.h"

struct record;
struct session;
struct session_task;

struct session_observe {
	/** Tasks seen so far. */
	uint32_t serial;
	/** The command executes its program, or has done so. */
	bool has_begun;
	/** The command has ended, and was waited for. */
	bool reaped;
	/** The command waits for a byte to be written to this pipe; else -1. */
	int go_fd;
	/** Of a process: the status that it ends with, plus 1. */
	struct hash ends;
	/** How many tasks the output was told of. */
	size_t task_count;
	/** When it was looked for tasks that went unseen, in seconds of CLOCK_MONOTONIC. */
	time_t swept;
	/** Signals that we wait for, and those that are blocked; what was before. */
	sigset_t signals, blocked, old_mask;
	struct sigaction old_sigchld;
};

/** The task, made if it was not known. */
struct session_task *session_observed_task(struct session *session, int tid, int tgid);
/** Shows in which call the task is met. */
void session_observed_met(struct session *session, struct session_task *task);
/** Something happened. */
void session_observed(struct session *session, const struct record *record);
/** Forgets the task without a word about its end. */
void session_observed_drop(struct session *session, struct session_task *task);
/** Waits for the command, if it has not ended only for a moment; it must not be reaped. */
void session_observe_reap(struct session *session, bool wait);

#endif
