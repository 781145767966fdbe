// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_TRACEE_H
#define SRC_TRACE_TRACEE_H

/** One traced task, from its first stop to its end. */

#include <stdbool.h>
#include <stddef.h>

#include "base/taddr.h"

struct tracee {
	struct task_id id;
	/** Thread group (process) id. */
	int tgid;
	/**
	 * Between a system call's entry and its exit, as far as they were handed out. Still set
	 * at the exit itself; not set there if the call was in flight when we attached.
	 */
	bool in_syscall;
	/** Whoever uses the trace may keep its own here; trace never looks. */
	void *user;
	/** The rest belongs to src/trace (see tracee.c). */
	struct tracee_state *state;
};

#endif
