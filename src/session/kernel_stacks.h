// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_KERNEL_STACKS_H
#define SRC_SESSION_KERNEL_STACKS_H

/** Where tasks sleep or stopped in the kernel (--kernel-stack), from /proc/TID/stack. */

#include <stdbool.h>

struct arena;
struct kernel_stack;
struct session;

/** Where a task sleeps or stopped in the kernel; false if nobody asked. */
bool session_kernel_stack_take(
	struct session *session, int tid, struct arena *arena, struct kernel_stack *ret);
/** The task @tid is about to be stopped: remembers where it sleeps. */
void session_kernel_stack_remember(struct session *session, int tid);
/** The task stopped: what was remembered, in @arena; false if nothing. */
bool session_kernel_stack_recall(
	struct session *session, int tid, struct arena *arena, struct kernel_stack *ret);
/** Forgets all that was not recalled. */
void session_kernel_stack_forget(struct session *session);

#endif
