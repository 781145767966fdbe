// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_OBSERVE_H
#define SRC_SESSION_OBSERVE_H

/**
 * System calls without ptrace: the kernel's tracepoints record them, and no task is ever
 * stopped. What is recorded are numbers; memory that arguments point to is read a little
 * later, while the task runs on. The calls take the same way to the output as those of
 * stopped tasks.
 */

#include <stdbool.h>

struct error;
struct session;

struct observe_options {
	/** Calls are observed. */
	bool enabled;
	/** Those of all tasks there are. */
	bool everything;
};

/** Starts the command or finds the tasks, and watches them. Undone by session_observe_end(). */
struct error *session_observe_start(struct session *session);
/** Shows what happens until nothing is left to observe or a signal ends us. */
void session_observe_run(struct session *session);
/** Lets the tasks go. NULL as session->observe is allowed. */
void session_observe_end(struct session *session);
/** Gives back the signals that session_observe_start() took. */
void session_observe_destroy(struct session *session);

#endif
