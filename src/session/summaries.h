// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SUMMARIES_H
#define SRC_SESSION_SUMMARIES_H

/** Feeds the summary of -c; nothing happens where none is asked for. */

#include <stdbool.h>

struct event;
struct session;
struct session_options;
struct session_task;

void session_summary_start(struct session *session);
/** To tell the time on processors of observed tasks. */
bool session_summary_needs_switches(const struct session_options *options);
/** A call that may be counted begins now. */
void session_summary_entry(struct session *session, struct session_task *task);
/** It has ended. */
void session_summary_exit(
	struct session *session, struct session_task *task, const struct event *event);
void session_summary_fault(struct session *session, const struct event *event);
/** Writes the tables behind everything else, and frees them. */
void session_summary_finish(struct session *session);

#endif
