// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_REGS_H
#define UNWIND_FRAME_REGS_H

/**
 * Register values of one frame, each known or not, numbered as DWARF numbers
 * them for the architecture (x86-64 psABI table 3.36, i386 psABI table 2.14),
 * with the program counter in its own place.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unwind_arch {
	UNWIND_ARCH_X86_64,
	UNWIND_ARCH_I386,
};

enum {
	/** DWARF register numbers that rules of compilers use; others are unknown. */
	FRAME_REGS_COUNT = 17,
};

struct frame_regs {
	enum unwind_arch arch;
	uint64_t value[FRAME_REGS_COUNT];
	/** Bit n: value[n] is known. */
	uint32_t known;
	uint64_t pc;
};

/**
 * From the general registers as PTRACE_GETREGSET(NT_PRSTATUS) gives them: a
 * struct user_regs_struct of @size bytes, its 32-bit form for i386 tasks. The
 * size selects the architecture. False for any other size.
 */
bool frame_regs_from_prstatus(struct frame_regs *regs, const void *prstatus, size_t size);

/** No more than the program counter and the stack pointer. */
void frame_regs_init(struct frame_regs *regs, enum unwind_arch arch, uint64_t pc, uint64_t sp);

static inline bool frame_regs_get(const struct frame_regs *regs, unsigned number, uint64_t *ret)
{
	if (number >= FRAME_REGS_COUNT || !(regs->known >> number & 1))
		return false;
	*ret = regs->value[number];
	return true;
}

static inline void frame_regs_set(struct frame_regs *regs, unsigned number, uint64_t value)
{
	if (number < FRAME_REGS_COUNT) {
		regs->value[number] = value;
		regs->known |= UINT32_C(1) << number;
	}
}

#endif
