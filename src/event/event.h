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
	/** Calls: time from entry to exit, or until now. */
	struct timespec duration;
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
		const char *text;
	};
	/** Where the task was in the kernel, around what @stack shows; NULL when not asked for. */
	const struct kernel_stack *kernel;
	/** NULL when no stack was asked for. */
	const struct unwind_stack *stack;
};

#endif
