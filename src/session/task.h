// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_TASK_H
#define SRC_SESSION_TASK_H

/**
 * What the session knows about a traced task, and about the process (address
 * space) it shares with its threads.
 */

#include <stdbool.h>
#include <time.h>

#include "decode/call.h"
#include "filter/match.h"
#include "perf/kernel_stack.h"
#include "proc/task.h"
#include "proc/view_live.h"
#include "unwind/unwind.h"

struct event;
struct session;
struct session_memory;
struct syscall;
struct tracee;

struct session_process {
	int tgid;
	unsigned task_count;
	/** It has executed a program since it was created. */
	bool executed;
	/** Its address space, perhaps shared with other processes; never NULL. */
	struct session_memory *memory;
	/** See session/watch.h; for good: until it executes a program. */
	bool watched, watched_for_good;
	/** It has a seccomp filter of its own, see session/watch.h. */
	bool refuses;
	/** Threads were created since it executed its program. */
	bool threaded;
	/** How often something came while it was so. */
	unsigned arrivals;
	/** Was looked at when session->moves was this. */
	uint64_t moves;
	/** Opened if threads may come and go unseen: /proc/TGID/task, see stacks.c; else -1. */
	int threads_fd;
};

struct session_task {
	struct tracee *tracee;
	struct session_process *process;
	struct view_live live;
	char comm[TASK_COMM_SIZE];
	struct path_task path;
	/** A call of it was shown. */
	bool shown;
	/** By which it made its last call. */
	enum abi_id abi;

	/** The call under way; only valid with @in_call. */
	struct call call;
	bool in_call;
	/** Its number is not asked for, or its arguments rule it out: the exit shows nothing. */
	bool ignored;
	/** Is decoded when it ends, if what it returns has to do with what is asked for. */
	bool late;
	/** Number of the call under way, if it is observed. */
	uint64_t number;
	/** What the call under way is by its number; NULL if no table has it. */
	const struct syscall *syscall;
	/** Its process was watched when the call began. */
	bool was_watched;
	/** FACT_* of the call under way. */
	unsigned facts;
	enum match_verdict verdict;
	/** The output was given the call's begin. */
	bool begun;
	/** It was under way when we came. */
	bool in_flight;
	/** Its stack was shown while it ran. */
	bool stack_shown;
	/** The call that the kernel will go on with by restart_syscall, or NULL. */
	const char *interrupted;
	struct timespec wall, monotonic;
	bool has_stack;
	struct unwind_stack stack;
	/** Processor time at the entry, in nanoseconds; for the summary. */
	uint64_t cpu;
	/** Of an observed task: time it has run, and since when it runs, or 0. */
	uint64_t ran, runs_since;
	/** Its place in session->long_calls; the registers at entry if the stack was not taken. */
	bool is_waiting, has_regs;
	struct session_task *previous_waiting, *next_waiting;
	struct frame_regs regs;
	bool has_kernel;
	struct kernel_stack kernel;
};

/** The task of @tracee, made at its first stop. */
struct session_task *session_task_get(struct session *session, struct tracee *tracee);
/** Forgets the task; its process goes with its last task. */
void session_task_drop(struct session *session, struct session_task *task);
/** The process @tgid, or NULL. */
struct session_process *session_process_find(struct session *session, int tgid);
/** Process @tgid was created by @parent. It will be seen, or is already. */
void session_process_born(struct session *session, const struct session_process *parent, int tgid,
	bool shares_memory);
/** Frees processes that were born but never seen. */
void session_process_forget_unseen(struct session *session);
/** The process was replaced by exec: a new address space. */
void session_process_exec(struct session_process *process);
/** The parts of an event that come from its task, at the present time. */
void session_task_event(const struct session_task *task, struct event *event);

#endif
