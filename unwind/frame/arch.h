// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_ARCH_H
#define UNWIND_FRAME_ARCH_H

/**
 * What the unwinder must know about a processor. Everything else is the same
 * for all of them.
 *
 * To add one: a value in enum unwind_arch (frame_regs.h), an arch_NAME.c with
 * one `const struct arch` filled in field by field, its line in arch.c, and the
 * stacks of tests/unit/test_walk.c run on it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/frame_regs.h"

struct rule;

/** What stands before a return address. */
enum arch_call {
	/** No call instruction: it is not a return address. */
	ARCH_CALL_NONE,
	/** A call of a fixed address. */
	ARCH_CALL_DIRECT,
	/** A call through a register or memory. */
	ARCH_CALL_INDIRECT,
};

enum {
	/** Bytes before a return address that @call_before may want. */
	ARCH_CALL_BYTES = 8,
	/** Bytes of the jumps by which functions in other files are called. */
	ARCH_STUB_BYTES = 16,
	/** Bytes at an address that @signal_rule may want. */
	ARCH_SIGNAL_BYTES = 16,
};

struct arch {
	/** As in enum unwind_arch. */
	enum unwind_arch id;
	/** Of e_machine in ELF files. */
	uint16_t elf_machine;
	/** Bytes of a stack slot and of an address. */
	uint8_t word;
	/** DWARF numbers: stack pointer, frame pointer, and the column of the return address. */
	uint8_t sp, fp, ra;
	/** Registers whose rules are asked for, from 0. */
	uint8_t register_count;
	/** Bit n: functions preserve register n unless a rule says otherwise. */
	uint32_t preserved;
	/** Size of the general registers in PTRACE_GETREGSET(NT_PRSTATUS). */
	size_t prstatus_size;
	/** Fills @regs from @prstatus_size bytes. */
	void (*load_prstatus)(struct frame_regs *regs, const void *prstatus);
	/**
	 * The rule through a signal frame if @code, @size bytes at a frame's pc, is
	 * the code that returns from a handler; else NULL. For C libraries whose
	 * trampoline has no CFI.
	 */
	const struct rule *(*signal_rule)(const uint8_t *code, size_t size);
	/**
	 * Whether the ARCH_CALL_BYTES bytes @code before @address end in a call.
	 * *@target_ret is the called address when it is ARCH_CALL_DIRECT.
	 */
	enum arch_call (*call_before)(const uint8_t *code, taddr address, taddr *target_ret);
	/**
	 * Whether the ARCH_STUB_BYTES bytes @code at @address do nothing but jump to where
	 * the word at *@slot_ret points.
	 */
	bool (*jump_slot)(const uint8_t *code, taddr address, taddr *slot_ret);
};

/** Never NULL. */
const struct arch *arch_get(enum unwind_arch id);

/** @value as an address of @arch. */
static inline uint64_t arch_truncate(const struct arch *arch, uint64_t value)
{
	return arch->word == 4 ? (uint32_t)value : value;
}

extern const struct arch arch_x86_64;
extern const struct arch arch_i386;

#endif
