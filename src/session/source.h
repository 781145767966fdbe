// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SOURCE_H
#define SRC_SESSION_SOURCE_H

/**
 * Who saw an event: ptrace, perf events, or whatever else can tell of system calls. A source
 * turns what it sees into a struct stop (a page fault: struct source_fault), hands it to the
 * handlers (on_syscall.h, on_lifecycle.h, on_signal.h, on_fault.h), and answers here what they
 * ask about it. Handlers never know which source it is. See doc/add-an-event-source.md.
 *
 * All answers are about the event that is being handled: when it happened, not now.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/taddr.h"

struct arena;
struct call_change;
struct frame_regs;
struct session_source;
struct session_task;
struct stop;
struct stop_syscall;
struct unwind_frame;
struct unwind_stack;

/** Members that may be NULL say what is then answered. */
struct session_source_ops {
	/** When it happened, by both clocks; @wall_ret may be NULL. */
	void (*time)(const struct session_source *source, struct timespec *wall_ret,
		struct timespec *monotonic_ret);
	/** Nanoseconds @task had spent on processors by then. NULL: 0. */
	uint64_t (*cpu_time)(const struct session_source *source, const struct session_task *task);
	/** A call that may rename the task has ended: updates task->comm. NULL: nothing. */
	void (*read_comm)(const struct session_source *source, struct session_task *task);
	/**
	 * The user stack, in @arena; false if there is none or nobody wants it. @call: the entry
	 * or exit the task stands at, or NULL at any other event. NULL: false.
	 */
	bool (*stack)(const struct session_source *source, struct session_task *task,
		const struct stop_syscall *call, struct arena *arena, struct unwind_stack *ret);
	/** stack() will be asked at the entry @call: what is read before may read it ahead. */
	void (*expect_stack)(const struct session_source *source, struct session_task *task,
		const struct stop_syscall *call);
	/** The instruction that @task stands at, or 0. NULL: 0. */
	uint64_t (*place)(const struct session_source *source, const struct session_task *task);
	/** The registers at the entry of a call, for stack_from(). NULL: false. */
	bool (*registers)(const struct session_source *source, const struct session_task *task,
		struct frame_regs *ret);
	/** The stack from these, while the task is still in that call. NULL: false. */
	bool (*stack_from)(const struct session_source *source, struct session_task *task,
		const struct frame_regs *regs, struct arena *arena, struct unwind_stack *ret);
	/** The user instruction that a fault happened at. Only sources of faults need it. */
	void (*code)(const struct session_source *source, struct session_task *task,
		struct arena *arena, struct unwind_frame *ret);
	/** The task executed a program; before, its thread was @former_tid. NULL: nothing. */
	void (*executed)(struct session_source *source, struct session_task *task, int former_tid);
	/** The task is about to be freed: frees task->origin. NULL: nothing. */
	void (*gone)(struct session_source *source, struct session_task *task);
	/** Only some calls stop (a seccomp filter), and the two below say where. NULL: false. */
	bool (*is_filtered)(const struct session_source *source);
	/**
	 * What is done to the call at whose entry @task stands, see trace_change_call(),
	 * trace_send() and trace_delay() (this one at an exit, too). NULL, all three: nothing can.
	 */
	void (*change_call)(struct session_source *source, struct session_task *task,
		const struct call_change *change);
	void (*send)(struct session_source *source, struct session_task *task, int signal);
	void (*delay)(
		struct session_source *source, struct session_task *task, uint64_t nanoseconds);
	/** @task, all of process @tgid: stops at all calls that are wanted, or only at some. */
	void (*watch)(struct session_source *source, struct session_task *task, bool watch);
	void (*watch_process)(struct session_source *source, int tgid, bool watch);
};

/** First member of each source's own struct. */
struct session_source {
	const struct session_source_ops *ops;
	/** The task stands still: what it has open and in memory is as it was at the event. */
	bool holds_tasks;
	/** Of a call, stack() knows the stack at the entry only. */
	bool has_stack_at_entry_only;
};

/** A page fault, for on_fault.h; all borrowed while it is handled. */
struct source_fault {
	/** The thread, which may have become another by exec since. */
	int tid;
	bool is_major, in_kernel;
	taddr address;
	/** The instruction; in the kernel's code if @in_kernel. */
	taddr ip;
	/** The kernel's call chain, or NULL. */
	const uint64_t *chain;
	size_t chain_count;
};

static inline bool source_stack(const struct session_source *source, struct session_task *task,
	const struct stop_syscall *call, struct arena *arena, struct unwind_stack *ret)
{
	return source->ops->stack && source->ops->stack(source, task, call, arena, ret);
}

static inline bool source_is_filtered(const struct session_source *source)
{
	return source->ops->is_filtered && source->ops->is_filtered(source);
}

static inline struct timespec source_monotonic(const struct session_source *source)
{
	struct timespec monotonic;

	source->ops->time(source, NULL, &monotonic);
	return monotonic;
}

#endif
