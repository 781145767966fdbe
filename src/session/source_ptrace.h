// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SOURCE_PTRACE_H
#define SRC_SESSION_SOURCE_PTRACE_H

/** Events of tasks stopped by ptrace: what the handlers ask is asked of the task as it stands. */

#include "session/source.h"

struct session;
struct trace;
struct tracee;

struct source_ptrace {
	struct session_source base;
	struct session *session;
	/** Owned by the session; NULL before it began, and if there is no such source. */
	struct trace *trace;
};

void source_ptrace_init(struct source_ptrace *source, struct session *session);
/** The task of a stop, made at its first; task->origin is its struct tracee. */
struct session_task *source_ptrace_task(struct source_ptrace *source, struct tracee *tracee);
/** The task stopped: tells outputs that need it how long it ran. */
void source_ptrace_account(struct source_ptrace *source, struct session_task *task);

#endif
