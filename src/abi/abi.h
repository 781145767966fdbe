// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_ABI_ABI_H
#define SRC_ABI_ABI_H

/**
 * What differs between the system call ABIs besides the tables.
 *
 * To add an ABI: a value in schema/abi_id.h; a descriptor file here and its line
 * in abi.c; syscalls/numbers/ABI.tbl and const/ABI.const; the column in the
 * generator (syscalls/gen/layout.py); recorded tests.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/abi_id.h"

struct abi {
	enum abi_id id;
	/** "x86_64", "i386": the name of its files. */
	const char *name;
	/** Bytes of a long and of a pointer. */
	unsigned word_size;
	/** AUDIT_ARCH_* as PTRACE_GET_SYSCALL_INFO gives it. */
	uint32_t audit_arch;
	/** Size of the NT_PRSTATUS register set of a task that runs this ABI's code. */
	size_t prstatus_size;
	/** Where in it the number of the call in progress stands, a word. */
	size_t prstatus_number;
	/** Where its arguments and its result stand. */
	size_t prstatus_arguments[6], prstatus_result;
	/** Where PTRACE_POKEUSER has number, arguments, result and pc, in our own layout. */
	size_t user_number, user_arguments[6], user_result, user_ip;
	/** The calls that create tasks, and the one by which the kernel resumes others. */
	struct {
		uint32_t clone, clone3, fork, vfork, restart_syscall;
	} numbers;
};

extern const struct abi abi_x86_64, abi_i386;

const struct abi *abi_get(enum abi_id id);
/** The ABI of a call made with @audit_arch and @number (x32 marks the number); NULL if none. */
const struct abi *abi_by_audit_arch(uint32_t audit_arch, uint64_t number);
/**
 * "ENOENT"; the names linux/errno.h keeps for the kernel's own use (515 and above) are
 * included, those of restart_name() are not. NULL if there is none.
 */
const char *errno_name(int code);
/** "ERESTARTSYS" (512) and its like, which only a tracer sees; NULL if it is none. */
const char *restart_name(int code);
/** "To be restarted if SA_RESTART is set" and its like; NULL if it is none. */
const char *restart_text(int code);
/** "SIGINT", "SIGRTMIN", "SIGRT_1"; NULL if @signal is out of range. */
const char *signal_name(enum abi_id abi, int signal);

#endif
