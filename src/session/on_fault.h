// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_ON_FAULT_H
#define SRC_SESSION_ON_FAULT_H

/** Page faults (--pf): what is asked for, and the handler for one, whoever saw it. */

#include <stdbool.h>
#include <stddef.h>

struct session;
struct session_source;
struct session_task;
struct source_fault;

enum fault_stack {
	/** By our unwinder, from registers and stack bytes of the moment. */
	FAULT_STACK_DWARF,
	/** By frame pointers, found by the kernel. */
	FAULT_STACK_FRAME_POINTER,
};

struct fault_options {
	/** Which faults are shown. */
	bool minor, major;
	enum fault_stack stack;
	/** Bytes of stack to record with each; 0 means 16 KiB. */
	unsigned stack_size;
	/** Most bytes of a processor's ring; 0 means the default. */
	size_t ring_most;
};

/** Shows a fault that @source saw @task make. */
void session_on_fault(struct session *session, struct session_task *task,
	const struct session_source *source, const struct source_fault *fault);

#endif
