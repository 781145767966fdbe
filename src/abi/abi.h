// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_ABI_ABI_H
#define SRC_ABI_ABI_H

/**
 * What differs between the system call ABIs besides the tables.
 *
 * To add an ABI: doc/add-an-abi.md.
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
	/** "AUDIT_ARCH_…" of @audit_arch; NULL if another ABI has that name already. */
	const char *audit_name;
	/** What follows @ in a set of calls: "64", "32", "x32". */
	const char *personality;
	/** What a task is said to run in, followed by "mode": "64 bit". */
	const char *mode;
	/** Bytes of a long and of a pointer. */
	unsigned word_size;
	/** Bytes of the kernel's own long in what the ABI shares with it (__kernel_long_t). */
	unsigned kernel_word_size;
	/** Bytes of a register with an argument. */
	unsigned register_size;
	/** AUDIT_ARCH_* as PTRACE_GET_SYSCALL_INFO gives it. */
	uint32_t audit_arch;
	/** The bits that tell its calls from those of others with this @audit_arch; 0 for none. */
	uint32_t number_mark;
	/** Registers of a task that runs this ABI's code. */
	const struct regs_layout *regs;
	/** The ABI of programs with narrower words that a machine of this one runs; or NULL. */
	const struct abi *narrow;
	/** Registers of a task that runs other code and may make calls of this ABI; or NULL. */
	const struct regs_layout *foreign_regs;
	/** Bytes of the instruction that makes a call: so much before the pc it is made again. */
	unsigned call_length;
	/** At sigreturn: from the stack pointer to the signal mask that the frame has saved. */
	unsigned signal_mask;
	/** The same in the frame of the old sigreturn, low and high half; 0 without one. */
	unsigned old_signal_mask[2];
	/** The calls that create tasks, and the one by which the kernel resumes others. */
	struct {
		uint32_t clone, clone3, fork, vfork, restart_syscall;
	} numbers;
};

extern const struct abi abi_x86_64, abi_i386, abi_x32;
/** Shared by the ABIs of 64-bit code. */
extern const struct regs_layout regs_x86_64;

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
/** "AUDIT_ARCH_…", NULL if no ABI of ours has it. */
const char *abi_audit_name(uint32_t audit_arch);
/** The number as the tables have it: without the mark of @abi. */
static inline uint64_t abi_number(const struct abi *abi, uint64_t number)
{
	return number & ~(uint64_t)abi->number_mark;
}
/** "SIGINT", "SIGRTMIN", "SIGRT_1"; NULL if @signal is out of range. */
const char *signal_name(enum abi_id abi, int signal);

#endif
