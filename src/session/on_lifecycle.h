// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_ON_LIFECYCLE_H
#define SRC_SESSION_ON_LIFECYCLE_H

/** Handler of tasks that start, create others, execute programs and end. */

struct session;
struct session_task;
struct stop;

/** Any stop but those of calls and signals. @task is freed by what ends it or lets it go. */
void session_on_lifecycle(
	struct session *session, struct session_task *task, const struct stop *stop);

#endif
