// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_ABI_REGS_H
#define SRC_ABI_REGS_H

/**
 * The general registers of a stopped task, read and changed by their role in a system call.
 *
 * They are kept as PTRACE_GETREGSET(NT_PRSTATUS) gives them; each ABI has a table that says where
 * in these bytes a role stands (struct regs_layout in the ABI's own file). This file asks no
 * kernel: see ptrace_regs() of trace/ptrace.h, which fetches and stores. Registers by their DWARF
 * numbers are the business of unwind.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct abi;

enum reg_role {
	/** The number of the call in progress; -1 if there is none. */
	REG_NUMBER,
	REG_ARGUMENT,
	/** One for each of the six arguments: REG_ARGUMENT + index. */
	REG_ARGUMENT_LAST = REG_ARGUMENT + 5,
	REG_RESULT,
	REG_PC,
	REG_SP,
	/** The frame pointer where code keeps one. */
	REG_FP,
	/** Where a call leaves the return address; only some processors have it. */
	REG_LINK,
	REG_ROLES,
};

enum {
	/** Room for the general registers of any processor (arm64: 34 words). */
	REGS_SIZE_MAX = 512,
	/** In a layout: there is no such register. */
	REGS_NONE = 0xff,
};

/** Where the roles stand in the register set of a kind of task. */
struct regs_layout {
	/** Of the whole set, in bytes, by which it is told from others. */
	size_t size;
	/** Of each register, in bytes. */
	unsigned width;
	/** The index of the register in the set, or REGS_NONE. */
	uint8_t index[REG_ROLES];
};

struct regs {
	_Alignas(uint64_t) unsigned char bytes[REGS_SIZE_MAX];
	/** How many of them there are. */
	size_t size;
	/** How many from the first on have to be stored again, because of regs_set(). */
	size_t changed;
};

/**
 * Whether @regs are those of a task that runs code of @abi: then all functions below work. They do
 * also for a task of another kind that may make calls of @abi.
 */
bool regs_are_of(const struct regs *regs, const struct abi *abi);
/** Whether registers and @abi go together at all. */
bool regs_fit(const struct regs *regs, const struct abi *abi);
/** The value, zero-extended; 0 where there is no such register, or @regs do not fit @abi. */
uint64_t regs_get(const struct regs *regs, const struct abi *abi, enum reg_role role);
/** The same, sign-extended from the width of the registers. */
int64_t regs_get_signed(const struct regs *regs, const struct abi *abi, enum reg_role role);
/** Changes @regs only; nothing where there is no such register. */
void regs_set(struct regs *regs, const struct abi *abi, enum reg_role role, uint64_t value);

#endif
