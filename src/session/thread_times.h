// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_THREAD_TIMES_H
#define SRC_SESSION_THREAD_TIMES_H

/**
 * --sched: how long each thread was on a processor, and how long it waited. Of observed threads
 * records tell of each switch; of stopped ones the kernel's own account is read at each stop
 * (/proc/TID/schedstat, Documentation/scheduler/sched-stats.rst), so that what comes after
 * the last stop is missing. Without --sched all functions do nothing.
 */

struct record;
struct session;
struct session_task;

void session_times_start(struct session *session);
/** The task is stopped by ptrace. */
void session_times_stop(struct session *session, const struct session_task *task);
/** A record of the task, of any kind. */
void session_times_record(
	struct session *session, const struct session_task *task, const struct record *record);
/** Writes the table, and frees everything. */
void session_times_finish(struct session *session);

#endif
