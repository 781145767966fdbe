// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_STACKS_H
#define SRC_SESSION_STACKS_H

/** Walks over user stacks of tasks, for all sources. When to take one is not decided here. */

#include <stdbool.h>

#include "unwind/unwind.h"

struct session;
struct session_process;
struct session_task;
struct stack_source;
struct stop_syscall;
struct unwind_space;

/** Whether stacks are asked for, and of this task. */
bool session_stack_is_wanted(const struct session *session, const struct session_task *task);
/** The space of a process whose stack is about to be taken. */
struct unwind_space *session_stack_space(
	struct session *session, struct session_process *process, enum unwind_arch arch);
/**
 * A call of @task that may make tasks with the same memory has succeeded. Whether one that we do
 * not trace is still there when the next stack is taken does not matter: it may have changed it.
 */
void session_stack_task_made(struct session *session, struct session_task *task);
/** Into @living's arena, from @regs; NULL: from all registers of the task, which is stopped. */
void session_stack_walk(struct session *session, struct session_task *task,
	struct stack_source *living, const struct frame_regs *regs, enum frame_address address,
	struct unwind_stack *ret);
/** The same at the system call @call, which says where the task stands. */
void session_stack_walk_call(struct session *session, struct session_task *task,
	struct stack_source *living, const struct stop_syscall *call, struct unwind_stack *ret);

#endif
