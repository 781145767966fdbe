// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_EVENT_EVENT_H
#define SRC_EVENT_EVENT_H

/**
 * What all layers above speak: something that happened to a task, with
 * everything needed to show it later. Nothing in it needs the task any more.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/taddr.h"
#include "schema/abi_id.h"
#include "unwind/unwind.h"

struct call;
struct event_fault;
struct kernel_stack;
struct unwind_context;
struct value;

enum event_kind {
	/** A system call; @call. */
	EVENT_CALL,
	/** A signal is about to be delivered; @signal. */
	EVENT_SIGNAL,
	/** The task is in a group-stop; @signal.number. */
	EVENT_STOPPED,
	/** The task ended by itself; @exit.status. */
	EVENT_EXITED,
	/** The task was killed; @exit.status is the signal. */
	EVENT_KILLED,
	/** The thread vanished because thread @superseded.by executed a program. */
	EVENT_SUPERSEDED,
	/** From here on the task makes its calls by another @abi. */
	EVENT_ABI,
	/** The task was met outside of any call: it runs code of its own. */
	EVENT_RUNNING,
	/** Attached to a running task or a new one, or let it go. */
	EVENT_ATTACHED,
	EVENT_DETACHED,
	/** A page was not there yet; @fault. */
	EVENT_FAULT,
	/** @lost: so many events were not recorded, because the ring was full. */
	EVENT_LOST,
	/** Something the reader must know; @text. */
	EVENT_NOTE,
	/** The task created another one; @child. */
	EVENT_CHILD,
	/** The task executed a program: its memory and perhaps its id are new; @exec. */
	EVENT_EXEC,
	/** The task has another name from now on, which is @comm. */
	EVENT_NAMED,
	/** The task got a processor or lost it; @scheduled. Only from sources that see that. */
	EVENT_SCHEDULED,
	/** How long it was on processors until now, from sources that do not; @account. */
	EVENT_ACCOUNT,
	/** The user asked for a report of what is known so far. @task means nothing. */
	EVENT_ASKED,
};

enum event_child {
	EVENT_CHILD_FORK,
	EVENT_CHILD_VFORK,
	/** By clone, or the source does not know. */
	EVENT_CHILD_PROCESS,
	/** A thread of the same process. */
	EVENT_CHILD_THREAD,
};

enum event_scheduled {
	/** On a processor. */
	EVENT_SCHEDULED_IN,
	/** Had to give it back, and waits for one. */
	EVENT_SCHEDULED_PREEMPTED,
	/** Gave it back, and sleeps. */
	EVENT_SCHEDULED_OUT,
	/** Has just been created, and waits for its first one. */
	EVENT_SCHEDULED_NEW,
	/** Has ended. */
	EVENT_SCHEDULED_GONE,
};

struct event {
	enum event_kind kind;
	struct task_id task;
	/** Process id (thread group) and command name at that time. */
	int pid;
	const char *comm;
	/** Wall clock and CLOCK_MONOTONIC at the event (calls: at entry). */
	struct timespec wall;
	struct timespec monotonic;
	/** The instruction of its own code that the task is at, or 0: unknown. */
	uint64_t ip;
	/** The number of the task's last call, or -1; and by which ABI it makes them. */
	int64_t call_number;
	enum abi_id abi_now;
	/** Calls: time from entry to exit, or until now. */
	struct timespec duration;
	/** Calls: nanoseconds on processors meanwhile; 0 unless an output needs it. */
	uint64_t cpu;
	/** Calls: the task was in it when the tracer came; times count from then. */
	bool in_flight;
	/** Calls: @stack was shown while the call ran. */
	bool stack_shown;
	union {
		struct call *call;
		struct {
			int number;
			/** NULL when the kernel gave none. */
			const struct value *info;
		} signal;
		struct {
			int status;
			bool core_dumped;
		} exit;
		struct {
			int by;
		} superseded;
		enum abi_id abi;
		const struct event_fault *fault;
		struct {
			uint64_t count;
			/** For people: what is missing, in the plural. */
			const char *what;
		} lost;
		struct {
			/** Of the new task, as we see it. */
			int tid;
			enum event_child kind;
		} child;
		struct {
			/** Of the thread that called execve; the task's own if nothing changed. */
			int former_tid;
		} exec;
		enum event_scheduled scheduled;
		struct {
			/** Nanoseconds on processors and waiting for one. */
			uint64_t ran, waited;
			/** How often it got one. */
			uint64_t runs;
		} account;
		const char *text;
	};
	/** Where the task was in the kernel, around what @stack shows; NULL when not asked for. */
	const struct kernel_stack *kernel;
	/** NULL when no stack was asked for. */
	const struct unwind_stack *stack;
};

#endif
