// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/expression.h"

#include <dwarf.h>
#include <stdbool.h>

#include "base/bits.h"
#include "unwind/frame/stack_memory.h"

enum { STACK_SIZE = 64 };

struct machine {
	const struct expression_state *state;
	uint64_t stack[STACK_SIZE];
	size_t depth;
};

static bool push(struct machine *machine, uint64_t value)
{
	if (machine->depth == STACK_SIZE)
		return false;
	machine->stack[machine->depth++] = arch_truncate(machine->state->arch, value);
	return true;
}

/** The value @index places below the top, or NULL. */
static uint64_t *peek(struct machine *machine, uint64_t index)
{
	return index < machine->depth ? &machine->stack[machine->depth - 1 - index] : NULL;
}

static bool is_binary(uint8_t atom)
{
	switch (atom) {
	case DW_OP_and:
	case DW_OP_div:
	case DW_OP_minus:
	case DW_OP_mod:
	case DW_OP_mul:
	case DW_OP_or:
	case DW_OP_plus:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
	case DW_OP_xor:
	case DW_OP_eq:
	case DW_OP_ge:
	case DW_OP_gt:
	case DW_OP_le:
	case DW_OP_lt:
	case DW_OP_ne:
		return true;
	default:
		return false;
	}
}

static bool compare(uint8_t atom, int64_t a, int64_t b)
{
	switch (atom) {
	case DW_OP_eq:
		return a == b;
	case DW_OP_ge:
		return a >= b;
	case DW_OP_gt:
		return a > b;
	case DW_OP_le:
		return a <= b;
	case DW_OP_lt:
		return a < b;
	default:
		return a != b;
	}
}

static uint64_t shift_right_signed(int64_t value, uint64_t count)
{
	return (uint64_t)(value >> (count > 63 ? 63 : count));
}

/** False for a division by zero. */
static bool binary(uint8_t atom, uint64_t a, uint64_t b, unsigned word, uint64_t *ret)
{
	int64_t signed_a = (int64_t)sign_extend(a, word);
	int64_t signed_b = (int64_t)sign_extend(b, word);

	switch (atom) {
	case DW_OP_and:
		*ret = a & b;
		return true;
	case DW_OP_or:
		*ret = a | b;
		return true;
	case DW_OP_xor:
		*ret = a ^ b;
		return true;
	case DW_OP_plus:
		*ret = a + b;
		return true;
	case DW_OP_minus:
		*ret = a - b;
		return true;
	case DW_OP_mul:
		*ret = a * b;
		return true;
	case DW_OP_div:
		if (!b)
			return false;
		// -1 apart: INT64_MIN / -1 traps.
		*ret = signed_b == -1 ? 0 - a : (uint64_t)(signed_a / signed_b);
		return true;
	case DW_OP_mod:
		if (!b)
			return false;
		*ret = a % b;
		return true;
	case DW_OP_shl:
		*ret = b < 64 ? a << b : 0;
		return true;
	case DW_OP_shr:
		*ret = b < 64 ? a >> b : 0;
		return true;
	case DW_OP_shra:
		*ret = shift_right_signed(signed_a, b);
		return true;
	default:
		*ret = compare(atom, signed_a, signed_b);
		return true;
	}
}

static bool run_binary(struct machine *machine, uint8_t atom)
{
	uint64_t result;

	if (machine->depth < 2 || !binary(atom, *peek(machine, 1), *peek(machine, 0),
					  machine->state->arch->word, &result))
		return false;
	machine->depth -= 2;
	return push(machine, result);
}

static bool run_unary(struct machine *machine, const struct expression_op *op)
{
	uint64_t *top = peek(machine, 0);
	int64_t value;

	if (!top)
		return false;
	value = (int64_t)sign_extend(*top, machine->state->arch->word);
	if (op->atom == DW_OP_abs && value < 0)
		*top = 0 - *top;
	else if (op->atom == DW_OP_neg)
		*top = 0 - *top;
	else if (op->atom == DW_OP_not)
		*top = ~*top;
	else if (op->atom == DW_OP_plus_uconst)
		*top += op->number;
	*top = arch_truncate(machine->state->arch, *top);
	return true;
}

/** Operations that move values of the stack. */
static bool run_stack(struct machine *machine, const struct expression_op *op)
{
	uint64_t *top = peek(machine, 0), *second = peek(machine, 1), *third = peek(machine, 2);
	uint64_t value;

	switch (op->atom) {
	case DW_OP_dup:
		return top && push(machine, *top);
	case DW_OP_drop:
		machine->depth -= top != NULL;
		return top != NULL;
	case DW_OP_over:
		return second && push(machine, *second);
	case DW_OP_pick:
		top = peek(machine, op->number);
		return top && push(machine, *top);
	case DW_OP_swap:
	case DW_OP_rot:
		if (!second || (op->atom == DW_OP_rot && !third))
			return false;
		value = *top;
		*top = *second;
		if (op->atom == DW_OP_rot) {
			*second = *third;
			*third = value;
		} else {
			*second = value;
		}
		return true;
	default:
		return false;
	}
}

static enum expression_result run_deref(struct machine *machine, size_t size, uint64_t *value_ret)
{
	uint64_t *top = peek(machine, 0);

	if (!top || size < 1 || size > 8)
		return EXPRESSION_BAD;
	*value_ret = *top;
	if (!stack_memory_read(machine->state->memory, *top, size, top))
		return EXPRESSION_UNREADABLE;
	return EXPRESSION_OK;
}

static enum expression_result run_register(
	struct machine *machine, uint64_t number, uint64_t offset)
{
	uint64_t value;

	if (number >= machine->state->arch->register_count ||
		!frame_regs_get(machine->state->regs, (unsigned)number, &value))
		return EXPRESSION_UNKNOWN_REGISTER;
	return push(machine, value + offset) ? EXPRESSION_OK : EXPRESSION_BAD;
}

static enum expression_result run_entry_value(struct machine *machine, uint64_t number)
{
	const struct expression_state *state = machine->state;
	uint64_t value;

	if (number >= state->arch->register_count || !state->entry_value ||
		!state->entry_value(state->entry_context, (unsigned)number, &value))
		return EXPRESSION_UNKNOWN_REGISTER;
	return push(machine, value) ? EXPRESSION_OK : EXPRESSION_BAD;
}

/** Cuts the top of the stack to an integer type. */
static bool run_convert(struct machine *machine, uint64_t size, bool is_signed)
{
	uint64_t *top = peek(machine, 0);

	if (!top || size < 1 || size > 8)
		return false;
	if (is_signed)
		*top = sign_extend(*top, (unsigned)size);
	else if (size < 8)
		*top &= (UINT64_C(1) << 8 * size) - 1;
	return true;
}

static enum expression_result as_result(bool is_good)
{
	return is_good ? EXPRESSION_OK : EXPRESSION_BAD;
}

/** Everything but branches. */
static enum expression_result run(
	struct machine *machine, const struct expression_op *op, uint64_t *value_ret)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return as_result(push(machine, op->atom - DW_OP_lit0));
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return run_register(machine, op->atom - DW_OP_breg0, op->number);
	if (is_binary(op->atom))
		return as_result(run_binary(machine, op->atom));
	switch (op->atom) {
	case DW_OP_addr:
		return as_result(push(machine, op->number + machine->state->bias));
	case DW_OP_entry_value:
		return run_entry_value(machine, op->number);
	case DW_OP_convert:
		return as_result(run_convert(machine, op->number, op->number2));
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return as_result(push(machine, op->number));
	case DW_OP_bregx:
		return run_register(machine, op->number, op->number2);
	case DW_OP_call_frame_cfa:
		return as_result(push(machine, machine->state->cfa));
	case DW_OP_deref:
		return run_deref(machine, machine->state->arch->word, value_ret);
	case DW_OP_deref_size:
		return run_deref(machine, op->number, value_ret);
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		return as_result(run_unary(machine, op));
	case DW_OP_nop:
	case DW_OP_stack_value:
		return EXPRESSION_OK;
	default:
		return as_result(run_stack(machine, op));
	}
}

/** The index of the operation that a taken branch at @index leads to; false for nowhere. */
static bool branch(const struct expression *expression, size_t index, size_t *ret)
{
	const struct expression_op *op = &expression->ops[index];
	// The displacement counts from behind the operation: one byte and a 2-byte operand.
	uint64_t target = op->offset + 3 + sign_extend(op->number, 2);

	for (size_t i = 0; i < expression->count; i++) {
		if (expression->ops[i].offset == target) {
			*ret = i;
			return true;
		}
	}
	return false;
}

/** The index of what comes after the skip or branch at @index; false for a bad one. */
static bool jump(
	struct machine *machine, const struct expression *expression, size_t index, size_t *ret)
{
	bool is_taken = true;

	if (expression->ops[index].atom == DW_OP_bra) {
		if (!machine->depth)
			return false;
		is_taken = machine->stack[--machine->depth] != 0;
	}
	if (is_taken)
		return branch(expression, index, ret);
	*ret = index + 1;
	return true;
}

enum expression_result expression_evaluate(const struct expression *expression,
	const struct expression_state *state, uint64_t *value_ret)
{
	struct machine machine = {.state = state};
	size_t index = 0;

	while (index < expression->count) {
		const struct expression_op *op = &expression->ops[index];
		enum expression_result result;

		if (!*state->budget)
			return EXPRESSION_BAD;
		--*state->budget;
		if (op->atom == DW_OP_skip || op->atom == DW_OP_bra) {
			if (!jump(&machine, expression, index, &index))
				return EXPRESSION_BAD;
			continue;
		}
		result = run(&machine, op, value_ret);
		if (result != EXPRESSION_OK)
			return result;
		index++;
	}
	if (!machine.depth)
		return EXPRESSION_BAD;
	*value_ret = machine.stack[machine.depth - 1];
	return EXPRESSION_OK;
}
