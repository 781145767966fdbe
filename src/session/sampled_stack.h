// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SAMPLED_STACK_H
#define SRC_SESSION_SAMPLED_STACK_H

/** User stacks from the registers and stack bytes, or the call chain, that a perf record has. */

struct arena;
struct record;
struct session;
struct session_task;
struct unwind_frame;
struct unwind_stack;

/** The user stack of @record, in @arena. */
void session_sampled_stack(struct session *session, struct session_task *task,
	const struct record *record, struct arena *arena, struct unwind_stack *ret);
/** The frame of the instruction that faulted in user code; @arena is for the search. */
void session_sampled_code(struct session *session, struct session_task *task,
	const struct record *record, struct arena *arena, struct unwind_frame *ret);

#endif
