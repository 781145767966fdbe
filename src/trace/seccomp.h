// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_SECCOMP_H
#define SRC_TRACE_SECCOMP_H

/**
 * A seccomp(2) filter that stops a task at some calls and lets the kernel run the rest at
 * full speed. A task cannot get rid of its filter, nor can its descendants, and a call that
 * the filter stops at fails with ENOSYS once nobody traces the task: see trace/supervisor.h.
 *
 * The programs are made here, by number, and not by libseccomp: that knows calls by name,
 * those of the release it is from, and has no word for "all calls that no table lists".
 */

#include <linux/filter.h>
#include <stdbool.h>

#include "base/array.h"
#include "schema/syscall_set.h"

struct ptrace_place;

enum {
	/** Marks our stops among those of filters of the program's own (SECCOMP_RET_DATA). */
	SECCOMP_MARK = 0x7ace,
};

/** A call that stops if the low half of an argument has a certain value. */
struct seccomp_choice {
	enum abi_id abi;
	uint32_t number;
	/** Index of the argument. */
	unsigned argument;
	uint32_t value;
};

enum {
	/** Two steps each, and a conditional jump reaches 255 of them. */
	SECCOMP_CHOICES_MAX = 120,
};

struct seccomp_traps {
	/** Calls that always stop. */
	struct syscall_set calls;
	/**
	 * Calls that stop if they may change what code is mapped: PROT_EXEC in the third
	 * argument or MAP_FIXED in the fourth, as mmap has them.
	 */
	struct syscall_set code;
	/** Calls that stop if that argument is not 0. */
	struct syscall_set pointer[6];
	/** Calls that stop for some values of an argument; those of one call in a row. */
	struct seccomp_choice choices[SECCOMP_CHOICES_MAX];
	unsigned choice_count;
};

struct seccomp_program {
	ARRAY(struct sock_filter) steps;
};

/**
 * Pure. Besides @traps all calls that could create a task with CLONE_UNTRACED stop, and
 * those of ABIs that there are no tables for, or whose numbers have a mark.
 */
void seccomp_build(const struct seccomp_traps *traps, struct seccomp_program *ret);
void seccomp_program_deinit(struct seccomp_program *program);

enum seccomp_permission {
	SECCOMP_NOT_PERMITTED,
	/** Only for a task that gives up gaining privileges by execve (no_new_privs). */
	SECCOMP_WITHOUT_PRIVILEGES,
	SECCOMP_PERMITTED,
};

/** Whether our children may install a filter. */
enum seccomp_permission seccomp_permission(void);
/** Installs it for the calling task; false with errno set. */
bool seccomp_install(const struct seccomp_program *program, bool no_new_privs);

/**
 * For a task that stopped at PTRACE_EVENT_SECCOMP: sees to it that the call does what it
 * would do without us. A stop for the sake of another's filter makes it fail with ENOSYS;
 * CLONE_UNTRACED is taken away.
 */
void seccomp_settle(int tid, const struct ptrace_place *place);

#endif
