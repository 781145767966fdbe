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

struct regs;
struct regs_layout;

struct abi {
	enum abi_id id;
	/** "x86_64", "i386": the name of its files. */
	const char *name;
	/** Bytes of a long and of a pointer. */
	unsigned word_size;
	/** AUDIT_ARCH_* as PTRACE_GET_SYSCALL_INFO gives it. */
	uint32_t audit_arch;
	/** Registers of a task that runs this ABI's code. */
	const struct regs_layout *regs;
	/** Registers of a task that runs other code and may make calls of this ABI; or NULL. */
	const struct regs_layout *foreign_regs;
	/** Bytes of the instruction that makes a call: so much before the pc it is made again. */
	unsigned call_length;
	/** The calls that create tasks, and the one by which the kernel resumes others. */
	struct {
		uint32_t clone, clone3, fork, vfork, restart_syscall;
	} numbers;
};

extern const struct abi abi_x86_64, abi_i386;

const struct abi *abi_get(enum abi_id id);
/** The ABI of this program itself. */
const struct abi *abi_native(void);
/**
 * The ABI of the code of a task with registers @regs: the first, if several share them. NULL if
 * there is none.
 */
const struct abi *abi_by_regs(const struct regs *regs);
/**
 * The ABI of programs of this machine whose words have @word_size bytes: what the class of an ELF
 * file says of calls.
 */
const struct abi *abi_by_word_size(unsigned word_size);
/** The ABI of a call made with @audit_arch and @number (x32 marks the number); NULL if none. */
const struct abi *abi_by_audit_arch(uint32_t audit_arch, uint64_t number);
/** "SIGINT", "SIGRTMIN", "SIGRT_1"; NULL if @signal is out of range. */
const char *signal_name(enum abi_id abi, int signal);

#endif
