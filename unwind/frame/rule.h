// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_RULE_H
#define UNWIND_FRAME_RULE_H

/**
 * Unwind rules as data: how to get from the registers of a frame to those of
 * its caller. Readers of formats make rules, rule_execute() carries them out;
 * neither knows the other's business.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/frame.h"
#include "unwind/frame/arch.h"
#include "unwind/frame_regs.h"

struct expression;
struct stack_memory;

/** Where the caller's value of a register is. Registers without a rule are lost. */
enum rule_kind {
	/** In memory at CFA + offset. */
	RULE_CFA_MEMORY,
	/** CFA + offset. */
	RULE_CFA_VALUE,
	/** In the register numbered @offset. */
	RULE_REGISTER,
	/** In memory at the address that the expression yields. */
	RULE_EXPRESSION_MEMORY,
	/** What the expression yields. */
	RULE_EXPRESSION_VALUE,
};

struct rule_register {
	uint8_t number;
	/** An enum rule_kind. */
	uint8_t kind;
	int32_t offset;
	const struct expression *expression;
};

/**
 * Constant once made. Compared byte by byte: padding is zero and equal
 * expressions are the same object (rule_store.h).
 */
struct rule {
	/** Yields the CFA; NULL: it is @cfa_register + @cfa_offset. */
	const struct expression *cfa_expression;
	int64_t cfa_offset;
	/** Bit n: the caller's register n has this frame's value. */
	uint64_t same;
	uint8_t cfa_register;
	/** FRAME_ORIGIN_EH_FRAME or FRAME_ORIGIN_DEBUG_FRAME: where the rule is from. */
	uint8_t origin;
	/** What it leads to was interrupted, not calling. */
	bool is_signal_frame;
	/** The return address is undefined: there is no caller. */
	bool is_outermost;
	uint8_t count;
	struct rule_register registers[];
};

enum rule_result {
	RULE_OK,
	/** There is no caller. */
	RULE_OUTERMOST,
	/** *@failed_ret is the address. */
	RULE_UNREADABLE,
	RULE_UNKNOWN_REGISTER,
	/** The rule makes no sense. */
	RULE_BAD,
};

/**
 * The registers of the caller, its pc among them. @budget is counted down by
 * expressions (see EXPRESSION_BUDGET). @caller_ret must not be @regs and is
 * only valid after RULE_OK; *@cfa_ret also if only the return address failed.
 */
enum rule_result rule_execute(const struct rule *rule, const struct arch *arch,
	const struct frame_regs *regs, struct stack_memory *memory, unsigned *budget,
	struct frame_regs *caller_ret, taddr *cfa_ret, taddr *failed_ret);

#endif
