// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_REGS_H
#define UNWIND_FRAME_REGS_H

/**
 * Register values of one frame, each known or not, numbered as DWARF numbers them for the
 * architecture, with the program counter in its own place.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/arch_id.h"

struct frame_regs {
	enum unwind_arch arch;
	/** As many as the architecture has. */
	uint64_t value[ARCH_REGISTERS_MAX];
	/** Bit n: value[n] is known. */
	uint64_t known;
	uint64_t pc;
};

/**
 * From the general registers of @size bytes as PTRACE_GETREGSET(NT_PRSTATUS) gives them (struct
 * user_regs_struct). The size selects the architecture. False for any other size.
 */
bool frame_regs_from_prstatus(struct frame_regs *regs, const void *prstatus, size_t size);

/** No more than the program counter and the stack pointer. */
void frame_regs_init(struct frame_regs *regs, enum unwind_arch arch, uint64_t pc, uint64_t sp);

static inline bool frame_regs_get(const struct frame_regs *regs, unsigned number, uint64_t *ret)
{
	if (number >= ARCH_REGISTERS_MAX || !(regs->known >> number & 1))
		return false;
	*ret = regs->value[number];
	return true;
}

static inline void frame_regs_set(struct frame_regs *regs, unsigned number, uint64_t value)
{
	if (number < ARCH_REGISTERS_MAX) {
		regs->value[number] = value;
		regs->known |= UINT64_C(1) << number;
	}
}

#endif
