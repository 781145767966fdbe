// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ARCH_ID_H
#define UNWIND_ARCH_ID_H

/**
 * The architectures whose stacks can be walked, and how many registers their frames have. What
 * else is known of them is in frame/arch.h, with a checklist for one more.
 */

enum unwind_arch {
	UNWIND_ARCH_X86_64,
	UNWIND_ARCH_I386,
};

/**
 * DWARF register numbers, from 0, that rules of compilers use (x86-64 psABI table 3.36, i386
 * psABI table 2.14); others are unknown.
 */
enum {
	ARCH_X86_64_REGISTERS = 17,
	ARCH_I386_REGISTERS = 9,
	/** The most of them, at most 64. */
	ARCH_REGISTERS_MAX = ARCH_X86_64_REGISTERS,
};

/** The one of this program, and the one of programs here with @word bytes in an address. */
enum unwind_arch unwind_arch_native(void);
enum unwind_arch unwind_arch_by_word(unsigned word);

#endif
