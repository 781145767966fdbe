// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_FAULTS_INTERNAL_H
#define SRC_SESSION_FAULTS_INTERNAL_H

/** What faults.c, on_fault.c and sampled_stack.c share. */

#include <stdatomic.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "perf/governor.h"
#include "perf/kernel_stack.h"
#include "session/faults.h"
#include "unwind/unwind.h"

struct unwind_map;

/** Records of a task that we have not seen yet: its parent's call is still under way. */
struct waiting {
	struct arena arena;
	ARRAY(struct record *) records;
};

struct session_faults {
	struct sampler *sampler;
	struct governor governor;
	/** Our thread, and whether it was told that there is something. */
	int thread;
	atomic_bool woken;
	/** tid to struct session_task. */
	struct hash tasks;
	/** tid to struct waiting. */
	struct hash waiting;
	size_t waiting_count;
	/** Of the event under construction. */
	struct arena arena;
};

/** faults: a message to the user, in the output's place for these. */
void session_note(struct session *session, const char *text);

/** sampled_stack: the user stack of @record, in @arena. */
void session_sampled_stack(struct session *session, struct session_task *task,
	const struct record *record, struct arena *arena, struct unwind_stack *ret);
/** The frame of the instruction that faulted in user code. */
void session_sampled_code(struct session *session, struct session_task *task,
	const struct record *record, struct unwind_frame *ret);

#endif
