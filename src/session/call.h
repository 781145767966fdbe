// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_CALL_H
#define SRC_SESSION_CALL_H

/**
 * The call that a task is in, from its entry to its end, and how it is given to the output.
 * Whether it is wanted is decided by on_syscall.c.
 */

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "decode/call.h"
#include "filter/match.h"
#include "perf/kernel_stack.h"
#include "unwind/unwind.h"

struct inject_rule;
struct session;
struct session_task;
struct syscall;

/**
 * All that is known of one call but its values (task->decoded, whose buffers are used again).
 * Only valid while it is under way.
 */
struct session_call {
	bool under_way;
	/** Its number is not asked for, or its arguments rule it out: the exit shows nothing. */
	bool ignored;
	/** Is decoded when it ends, if what it returns has to do with what is asked for. */
	bool late;
	/** Its process was watched when the call began. */
	bool was_watched;
	/** The output was given the call's begin. */
	bool begun;
	/** It was under way when the task was attached to. */
	bool in_flight;
	/** Where in the task's code it was made, or 0. */
	uint64_t ip;
	/** Its stack was shown while it ran. */
	bool stack_shown;
	enum match_verdict verdict;
	/** What it is by its number; NULL if no table has it. */
	const struct syscall *syscall;
	/** What is done to it (tamper.h), or NULL. Memory behind its arguments was written to. */
	const struct inject_rule *rule;
	bool poked;
	/** FACT_* of it. */
	unsigned facts;
	/** When it was entered. */
	struct timespec wall, monotonic;
	/** Processor time at the entry, in nanoseconds; 0 unless an output needs it. */
	uint64_t cpu;
	bool has_stack, has_kernel;
	struct unwind_stack stack;
	struct kernel_stack kernel;
	/** Its place in session->long_calls. */
	bool is_waiting;
	struct session_task *previous_waiting, *next_waiting;
	/** The registers at the entry of a call that waits, if the stack was not taken. */
	bool has_regs;
	struct frame_regs regs;
};

/** It begins now: notes the processor time if an output needs it. */
void session_call_take_cpu(const struct session *session, struct session_task *task);
/** Its entry is shown; with its stack at once if it was under way at the attach. */
void session_call_show_entry(struct session *session, struct session_task *task);
/** Shows the call as it is now, with its stack if there is one. */
void session_call_show_running(struct session *session, struct session_task *task);
/** Shows how it ended, and its entry if that was not shown yet. */
void session_call_show_end(struct session *session, struct session_task *task);
/** It will not be seen to end; its result is @result. */
void session_call_abandon(
	struct session *session, struct session_task *task, enum call_result result);
/** Shows the calls that have run long enough at @now, see session/long_calls.h. */
void session_call_show_long(struct session *session, struct timespec now);
/** The time since the call was entered, up to the event that is handled. */
struct timespec session_call_duration(const struct session_task *task);

#endif
