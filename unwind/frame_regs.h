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

/**
 * The registers that are wanted in samples of perf events, as bits of perf_event_attr's
 * sample_regs_user; and @regs from their values, of which the lowest bit's is the first. @word is
 * the size of an address in the sample's task, by which the architecture is chosen.
 */
uint64_t frame_regs_perf_mask(void);
void frame_regs_from_perf(struct frame_regs *regs, unsigned word, const uint64_t *values);

/** The six arguments of a system call, in the registers that it takes them from. */
void frame_regs_set_arguments(struct frame_regs *regs, const uint64_t arguments[6]);

enum {
	/** Bytes before a program counter that frame_regs_in_system_call() wants. */
	FRAME_REGS_CODE_BYTES = 8,
};

/** Whether @code, the bytes before the program counter, end in the instruction of a system call. */
bool frame_regs_in_system_call(
	const struct frame_regs *regs, const uint8_t code[FRAME_REGS_CODE_BYTES]);

/** The stack pointer; 0 if it is not known. */
uint64_t frame_regs_sp(const struct frame_regs *regs);

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
