// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_LIVE_SOURCE_H
#define TESTS_UNIT_LIVE_SOURCE_H

/** An unwind source that reads a real process stopped by ptrace. */

#include <stdbool.h>
#include <sys/types.h>

#include "unwind/unwind.h"

struct live_source {
	pid_t pid;
	/** The process's root; NULL: not looked at. Set by the test. */
	const char *root;
	/** What open_file() offers instead of the real candidates; NULL-terminated; or NULL. */
	const char *const *candidates;
	/** Calls of each kind. */
	unsigned reads, maps_reads, opened, registers;
};

extern const struct unwind_source_ops live_source_ops;

/** Stops @pid, which must not be traced. False if that is forbidden. */
bool live_stop(pid_t pid);
/** Lets go of a stopped process. */
void live_detach(pid_t pid);
/** The registers of a stopped process, and whether it stands at a system call. */
bool live_regs(pid_t pid, struct frame_regs *regs, enum frame_address *address);

#endif
