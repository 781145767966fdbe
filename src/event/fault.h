// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_EVENT_FAULT_H
#define SRC_EVENT_FAULT_H

/** A page fault with what was mapped where it happened. */

#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"
#include "perf/kernel_stack.h"
#include "unwind/unwind.h"

struct event_fault {
	/** It had to wait for a disk; else the page was at hand. */
	bool is_major;
	/** Code of the kernel wanted the page, in a system call of the task. */
	bool in_kernel;
	/** What could not be accessed. */
	taddr address;
	/** The instruction that did; only valid without @in_kernel. */
	struct unwind_frame code;
	/** The same with @in_kernel. */
	struct kernel_frame kernel_code;

	/** Whether @address is in any mapping; what follows is only valid if so. */
	bool is_mapped;
	bool is_executable;
	/** As /proc/PID/maps calls the mapping, "" for anonymous memory. */
	const char *map_name;
	/** The mapped file in the process's root; NULL for no file. */
	const char *path;
	/** The place of @address in it, in bytes from its start. */
	uint64_t file_offset;
};

#endif
