// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_ON_SIGNAL_H
#define SRC_SESSION_ON_SIGNAL_H

/** Handler of signals that reach a task, and of group-stops. */

struct session;
struct session_task;
struct stop;

/** STOP_SIGNAL or STOP_GROUP. */
void session_on_signal(struct session *session, struct session_task *task, const struct stop *stop);

#endif
