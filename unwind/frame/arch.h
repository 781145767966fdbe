// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_ARCH_H
#define UNWIND_FRAME_ARCH_H

/**
 * What the unwinder must know about an architecture. Everything else is the same for all of
 * them, and no file of unwind/ but those called arch_* names one.
 *
 * To add one, with aarch64 as the example:
 *  1. arch_id.h: UNWIND_ARCH_AARCH64; its registers (x0 to x30 and sp are 0 to 31 for DWARF);
 *     ARCH_REGISTERS_MAX if these are the most.
 *  2. arch_aarch64.c: one `const struct arch`, filled in field by field, each fact with its
 *     source (the psABI, the kernel's headers). There the return address is in @link (x30),
 *     which is also its column @ra; the frame record is {0, 8, 16}; @code_mask leaves out the
 *     pointer authentication code.
 *  3. arch_table.h, arch_table.c, meson.build: its line.
 *  4. unwind_arch_by_word() of arch_table.c, where a machine runs programs of several.
 *  5. tests/unit/test_frame_regs.c: its registers, calls and trampoline; tests/unit/test_walk.c
 *     and tests/stacks on a machine that has it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/frame_regs.h"

struct rule;
struct stack_memory;

/** Distances in bytes from the frame pointer of a function that keeps one. */
struct arch_frame_record {
	/** To the caller's frame pointer and to the return address. */
	int8_t caller, return_address;
	/** To the CFA, or to the lowest address that it can be. */
	int8_t cfa;
};

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
	/** Instead of a register. */
	ARCH_NO_REGISTER = 0xff,
	/** Bytes before a return address that @call_before may want. */
	ARCH_CALL_BYTES = 8,
	/** Bytes of the jumps by which functions in other files are called. */
	ARCH_STUB_BYTES = 16,
	/** Bytes before an address, and from it on, that @signal_rule may want. */
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
	/**
	 * DWARF number of the register in which a call leaves the return address;
	 * ARCH_NO_REGISTER: calls push it.
	 */
	uint8_t link;
	/** Registers whose rules are asked for, from 0; at most ARCH_REGISTERS_MAX. */
	uint8_t register_count;
	struct arch_frame_record frame_record;
	/** libunwind numbers the registers as DWARF does (libunwind-ARCH.h). */
	bool libunwind_numbers;
	/** Bits of a return address in a register or in memory that are address. */
	uint64_t code_mask;
	/** Bit n: functions preserve register n unless a rule says otherwise. */
	uint64_t preserved;
	/** Bit n: what libdw 0.188 presumes of register n, where no rule is, is wrong. */
	uint64_t misjudged;
	/** DWARF numbers of the registers with the arguments of a system call. */
	uint8_t call_arguments[6];
	/** By DWARF number: the number in samples of perf events (asm/perf_regs.h). */
	const uint8_t *perf_numbers;
	/** Size of the general registers in PTRACE_GETREGSET(NT_PRSTATUS). */
	size_t prstatus_size;
	/** Fills @regs from @prstatus_size bytes. */
	void (*load_prstatus)(struct frame_regs *regs, const void *prstatus);
	/**
	 * The rule through a signal frame if @code, with @before bytes before it and @after
	 * behind, is at an instruction of the code that returns from a handler; else NULL. For
	 * trampolines without CFI, or with that of a function.
	 */
	const struct rule *(*signal_rule)(const uint8_t *code, size_t before, size_t after);
	/**
	 * The same if what the kernel leaves for a handler is at @sp, whatever the code there
	 * looks like. Only to be asked where no call led to.
	 */
	const struct rule *(*signal_frame)(struct stack_memory *memory, uint64_t sp);
	/**
	 * Whether the ARCH_CALL_BYTES bytes @code before @address end in a call.
	 * *@target_ret is the called address when it is ARCH_CALL_DIRECT.
	 */
	enum arch_call (*call_before)(const uint8_t *code, taddr address, taddr *target_ret);
	/** Whether the ARCH_CALL_BYTES bytes @code end in the instruction of a system call. */
	bool (*system_call_before)(const uint8_t *code);
	/**
	 * Whether the ARCH_STUB_BYTES bytes @code at @address do nothing but jump to where
	 * the word at *@slot_ret points.
	 */
	bool (*jump_slot)(const uint8_t *code, taddr address, taddr *slot_ret);
};

/** Never NULL. */
const struct arch *arch_get(enum unwind_arch id);
/** The one whose general registers are @size bytes in PTRACE_GETREGSET; NULL if none. */
const struct arch *arch_by_prstatus(size_t size);

/** @value as an address of @arch. */
static inline uint64_t arch_truncate(const struct arch *arch, uint64_t value)
{
	return arch->word == 4 ? (uint32_t)value : value;
}

/** @value, a return address, without what is no address in it. */
static inline uint64_t arch_code_address(const struct arch *arch, uint64_t value)
{
	return value & arch->code_mask;
}

#endif
