// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/cfi.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/frame/expression.h"
#include "unwind/frame/rule.h"
#include "unwind/frame/rule_store.h"
#include "unwind/frame_regs.h"

/** Longer expressions are refused; real ones have about ten operations. */
enum { OPS_MAX = 256 };

/** A rule under construction. */
struct row {
	const struct arch *arch;
	Dwarf_Frame *frame;
	struct rule_store *store;
	struct rule *rule;
};

static const struct expression *copy_expression(
	struct rule_store *store, const Dwarf_Op *ops, size_t count)
{
	cleanup_free struct expression *expression = NULL;

	if (!count || count > OPS_MAX)
		return NULL;
	expression = xcalloc(1, sizeof(*expression) + count * sizeof(expression->ops[0]));
	expression->count = count;
	for (size_t i = 0; i < count; i++) {
		expression->ops[i].atom = ops[i].atom;
		expression->ops[i].offset = ops[i].offset;
		expression->ops[i].number = ops[i].number;
		expression->ops[i].number2 = ops[i].number2;
	}
	return rule_store_expression(store, expression);
}

/** Register plus offset, the usual CFA. */
static bool is_plain(const struct arch *arch, const Dwarf_Op *op, uint64_t *number, int64_t *offset)
{
	if (op->atom == DW_OP_bregx) {
		*number = op->number;
		*offset = (int64_t)op->number2;
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*number = op->atom - DW_OP_breg0;
		*offset = (int64_t)op->number;
	} else {
		return false;
	}
	return *number < arch->register_count;
}

static bool read_cfa(struct row *row)
{
	struct rule *rule = row->rule;
	uint64_t number;
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(row->frame, &ops, &count) || !count)
		return false;
	if (count == 1 && is_plain(row->arch, &ops[0], &number, &rule->cfa_offset)) {
		rule->cfa_register = (uint8_t)number;
		return true;
	}
	rule->cfa_offset = 0;
	rule->cfa_expression = copy_expression(row->store, ops, count);
	return rule->cfa_expression;
}

/** The register a location description names, or -1. */
static int named_register(const struct arch *arch, const Dwarf_Op *op)
{
	if (op->atom == DW_OP_regx && op->number < arch->register_count)
		return (int)op->number;
	if (op->atom >= DW_OP_reg0 && op->atom < DW_OP_reg0 + arch->register_count)
		return op->atom - DW_OP_reg0;
	return -1;
}

/** CFA, or CFA plus a constant. */
static bool is_cfa_relative(const Dwarf_Op *ops, size_t count, int32_t *offset)
{
	if (!count || ops[0].atom != DW_OP_call_frame_cfa || count > 2)
		return false;
	if (count == 2 && ops[1].atom != DW_OP_plus_uconst)
		return false;
	*offset = count == 2 ? (int32_t)ops[1].number : 0;
	return count == 1 || (uint64_t)(int64_t)*offset == ops[1].number;
}

static bool decode_location(
	struct row *row, struct rule_register *reg, const Dwarf_Op *ops, size_t count)
{
	bool is_value = ops[count - 1].atom == DW_OP_stack_value;
	int number = count == 1 ? named_register(row->arch, &ops[0]) : -1;

	if (number >= 0) {
		reg->kind = RULE_REGISTER;
		reg->offset = number;
		return true;
	}
	count -= is_value;
	if (is_cfa_relative(ops, count, &reg->offset)) {
		reg->kind = is_value ? RULE_CFA_VALUE : RULE_CFA_MEMORY;
		return true;
	}
	reg->offset = 0;
	reg->kind = is_value ? RULE_EXPRESSION_VALUE : RULE_EXPRESSION_MEMORY;
	reg->expression = copy_expression(row->store, ops, count);
	return reg->expression;
}

static bool is_same(const struct arch *arch, unsigned number, bool said_so)
{
	return arch->preserved >> number & 1 || (said_so && !(arch->misjudged >> number & 1));
}

static void read_register(struct row *row, unsigned number, bool is_return_address)
{
	struct rule *rule = row->rule;
	struct rule_register *reg = &rule->registers[rule->count];
	Dwarf_Op memory[3], *ops;
	size_t count;

	if (dwarf_frame_register(row->frame, (int)number, memory, &ops, &count))
		return;
	if (count) {
		reg->number = (uint8_t)number;
		rule->count += decode_location(row, reg, ops, count);
	} else if (is_same(row->arch, number, !ops)) {
		rule->same |= UINT64_C(1) << number;
	} else if (is_return_address) {
		rule->is_outermost = true;
	}
}

const struct rule *cfi_rule(Dwarf_CFI *cfi, const struct arch *arch, enum frame_origin origin,
	uint64_t pc, struct rule_store *store, bool *is_last_ret)
{
	cleanup_free Dwarf_Frame *frame = NULL;
	cleanup_free struct rule *rule = NULL;
	struct row row = {.arch = arch, .store = store};
	Dwarf_Addr start, end;
	bool is_signal;
	int ra;

	if (dwarf_cfi_addrframe(cfi, pc, &frame)) {
		frame = NULL;
		return NULL;
	}
	ra = dwarf_frame_info(frame, &start, &end, &is_signal);
	if (ra != arch->ra)
		return NULL;
	rule = xcalloc(1, sizeof(*rule) + arch->register_count * sizeof(rule->registers[0]));
	rule->is_signal_frame = is_signal;
	rule->origin = (uint8_t)origin;
	row.frame = frame;
	row.rule = rule;
	for (unsigned number = 0; number < arch->register_count; number++)
		read_register(&row, number, number == arch->ra);
	// The outermost frame often has no CFA that means anything.
	if (!read_cfa(&row) && !rule->is_outermost)
		return NULL;
	*is_last_ret = end == pc + 1;
	return rule_store_rule(store, rule);
}
