// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_EXPRESSION_H
#define UNWIND_FRAME_EXPRESSION_H

/**
 * DWARF expressions as call frame information and locations of parameters use them
 * (DWARF 5, 2.5 and 6.4.2): few, short, on registers and stack memory. They come from
 * the traced program's files, so evaluation is bounded in steps and in stack.
 *
 * Two operations stand here in another form than in files: DW_OP_convert has the size
 * of an integer type in @number and whether it is signed in @number2, and
 * DW_OP_entry_value has the number of a register in @number.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/frame/arch.h"
#include "unwind/frame_regs.h"

struct stack_memory;

struct expression_op {
	/** A DW_OP_* code. */
	uint8_t atom;
	/** Position of the operation in its expression, for branches. */
	uint64_t offset;
	uint64_t number, number2;
};

struct expression {
	size_t count;
	struct expression_op ops[];
};

enum expression_result {
	EXPRESSION_OK,
	/** Memory that it needs cannot be read; the address is in *@value_ret. */
	EXPRESSION_UNREADABLE,
	EXPRESSION_UNKNOWN_REGISTER,
	/** Malformed, not supported here, or too long. */
	EXPRESSION_BAD,
};

/** Steps that all expressions of one walk may take together. */
enum { EXPRESSION_BUDGET = 100000 };

struct expression_state {
	const struct arch *arch;
	const struct frame_regs *regs;
	struct stack_memory *memory;
	/** For DW_OP_call_frame_cfa; rules of the CFA itself must not use it. */
	taddr cfa;
	/** Counted down. */
	unsigned *budget;
	/** Added to addresses in the file (DW_OP_addr). */
	uint64_t bias;
	/** What register @number held when the function was entered; NULL: never known. */
	bool (*entry_value)(void *context, unsigned number, uint64_t *ret);
	void *entry_context;
};

/** The value on top of the stack at the end. */
enum expression_result expression_evaluate(const struct expression *expression,
	const struct expression_state *state, uint64_t *value_ret);

#endif
