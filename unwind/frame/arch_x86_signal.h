// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_ARCH_X86_SIGNAL_H
#define UNWIND_FRAME_ARCH_X86_SIGNAL_H

/** Code of the x86 family that returns from a signal handler, recognised by its bytes. */

#include <stddef.h>
#include <stdint.h>

struct rule;

/** A place at which a task may be in it, and the rule there. */
struct x86_trampoline_step {
	/** Bytes of the code before it. */
	uint8_t at;
	const struct rule *rule;
};

struct x86_trampoline {
	uint8_t code[10];
	uint8_t size;
	uint8_t step_count;
	struct x86_trampoline_step steps[3];
};

/** The rule at @code, as @signal_rule of struct arch; NULL if it is at none of the steps. */
const struct rule *x86_trampoline_rule(const struct x86_trampoline *trampolines, size_t count,
	const uint8_t *code, size_t before, size_t after);

#endif
