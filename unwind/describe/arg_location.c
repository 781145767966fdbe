// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/arg_location.h"

#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "unwind/describe/arg_type.h"
#include "unwind/dwarf/die.h"
#include "unwind/frame/expression.h"
#include "unwind/frame/stack_memory.h"

enum {
	/** Longer expressions are refused. */
	OPS_MAX = 256,
};

/** Part of an expression that describes one piece of a value. */
struct piece {
	Dwarf_Attribute *attribute;
	const Dwarf_Op *ops;
	size_t count;
};

/** Bytes of a value as they are gathered. */
struct value {
	uint8_t *data;
	unsigned size;
};

static int named_register(const Dwarf_Op *op)
{
	if (op->atom == DW_OP_regx && op->number <= INT32_MAX)
		return (int)op->number;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return op->atom - DW_OP_reg0;
	return -1;
}

int arg_location_register(Dwarf_Attribute *attribute)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_getlocation(attribute, &ops, &count) || count != 1)
		return -1;
	return named_register(&ops[0]);
}

static enum expression_result evaluate(
	const struct arg_frame *frame, const struct expression *expression, uint64_t *ret)
{
	const struct expression_state state = {
		.arch = frame->arch,
		.regs = frame->regs,
		.memory = frame->memory,
		.cfa = frame->cfa,
		.budget = frame->budget,
		.bias = frame->bias,
		.entry_value = frame->entry_value,
		.entry_context = frame->entry_context,
	};

	return expression_evaluate(expression, &state, ret);
}

static bool get_register(const struct arg_frame *frame, int number, uint64_t *ret)
{
	return number >= 0 && frame_regs_get(frame->regs, (unsigned)number, ret);
}

/** What the function's frame base is; its own expression cannot refer to it. */
static bool frame_base(const struct arg_frame *frame, uint64_t *ret)
{
	struct expression *expression;
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr_integrate(frame->function, DW_AT_frame_base, &attribute) ||
		dwarf_getlocation_addr(&attribute, frame->pc, &ops, &count, 1) != 1 || !count ||
		count > OPS_MAX)
		return false;
	if (count == 1 && named_register(&ops[0]) >= 0)
		return get_register(frame, named_register(&ops[0]), ret);
	expression = arena_zalloc(
		frame->arena, sizeof(*expression) + count * sizeof(expression->ops[0]));
	expression->count = count;
	for (size_t i = 0; i < count; i++)
		expression->ops[i] = (struct expression_op){
			ops[i].atom, ops[i].offset, ops[i].number, ops[i].number2};
	return evaluate(frame, expression, ret) == EXPRESSION_OK;
}

/** The form of an integer type for DW_OP_convert, see expression.h. */
static bool set_convert(struct piece *piece, const Dwarf_Op *op, struct expression_op *ret)
{
	uint64_t size = 0;
	bool is_signed = false;
	Dwarf_Die type;

	ret->atom = DW_OP_convert;
	// Without a type: back to an integer of the size of an address.
	if (dwarf_getlocation_die(piece->attribute, op, &type) ||
		!arg_type_integer(&type, &size, &is_signed))
		size = 0;
	ret->number = size;
	ret->number2 = is_signed;
	return size > 0;
}

/** Only the value of a register at the entry is understood. */
static bool set_entry_value(struct piece *piece, const Dwarf_Op *op, struct expression_op *ret)
{
	Dwarf_Attribute block;
	int number;

	if (dwarf_getlocation_attr(piece->attribute, op, &block))
		return false;
	number = arg_location_register(&block);
	ret->atom = DW_OP_entry_value;
	ret->number = (uint64_t)number;
	return number >= 0;
}

/** Appends @op in the form that expressions have here; up to two operations. */
static bool translate(const struct arg_frame *frame, struct piece *piece, const Dwarf_Op *op,
	struct expression *to)
{
	struct expression_op *ret = &to->ops[to->count++];
	struct expression_op *second;
	uint64_t base;

	*ret = (struct expression_op){op->atom, op->offset, op->number, op->number2};
	switch (op->atom) {
	case DW_OP_fbreg:
		if (!frame_base(frame, &base))
			return false;
		ret->atom = DW_OP_constu;
		ret->number = base + op->number;
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return set_entry_value(piece, op, ret);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		if (!op->number) {
			ret->atom = DW_OP_nop;
			return true;
		}
		return set_convert(piece, op, ret);
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		ret->atom = DW_OP_bregx;
		ret->number2 = 0;
		break;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		ret->atom = DW_OP_deref_size;
		break;
	default:
		return true;
	}
	second = &to->ops[to->count++];
	*second = (struct expression_op){.offset = op->offset};
	return set_convert(piece, op, second);
}

static struct expression *translate_all(const struct arg_frame *frame, struct piece *piece)
{
	struct expression *to;

	if (piece->count > OPS_MAX)
		return NULL;
	to = arena_alloc(frame->arena, sizeof(*to) + 2 * piece->count * sizeof(to->ops[0]));
	to->count = 0;
	for (size_t i = 0; i < piece->count; i++) {
		if (!translate(frame, piece, &piece->ops[i], to))
			return NULL;
	}
	return to;
}

static enum arg_result put_number(struct value *value, unsigned size, uint64_t number)
{
	if (size > sizeof(number) && number)
		return ARG_UNAVAILABLE;
	memset(value->data, 0, size);
	memcpy(value->data, &number, size < sizeof(number) ? size : sizeof(number));
	return ARG_FOUND;
}

static enum arg_result put_memory(
	const struct arg_frame *frame, struct value *value, unsigned size, taddr address)
{
	const struct unwind_source *source = frame->source;

	address = arch_truncate(frame->arch, address);
	return source->ops->read(source->context, address, value->data, size) == size
		       ? ARG_FOUND
		       : ARG_UNAVAILABLE;
}

static enum arg_result put_block(struct piece *piece, struct value *value, unsigned size)
{
	Dwarf_Block block;

	if (dwarf_getlocation_implicit_value(piece->attribute, &piece->ops[0], &block) ||
		block.length < size)
		return ARG_UNAVAILABLE;
	memcpy(value->data, block.data, size);
	return ARG_FOUND;
}

/** The next @size bytes of @value from @piece. */
static enum arg_result put_piece(
	const struct arg_frame *frame, struct piece *piece, unsigned size, struct value *value)
{
	struct expression *expression;
	const Dwarf_Op *last;
	uint64_t number;

	if (!piece->count)
		return ARG_NOWHERE;
	last = &piece->ops[piece->count - 1];
	switch (piece->ops[0].atom) {
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return ARG_SYNTHETIC_POINTER;
	case DW_OP_GNU_variable_value:
		return ARG_UNAVAILABLE;
	case DW_OP_implicit_value:
		return put_block(piece, value, size);
	default:
		break;
	}
	if (piece->count == 1 && named_register(last) >= 0)
		return get_register(frame, named_register(last), &number)
			       ? put_number(value, size, number)
			       : ARG_UNAVAILABLE;
	expression = translate_all(frame, piece);
	if (!expression)
		return ARG_UNAVAILABLE;
	switch (evaluate(frame, expression, &number)) {
	case EXPRESSION_OK:
		return last->atom == DW_OP_stack_value ? put_number(value, size, number)
						       : put_memory(frame, value, size, number);
	// Without the caller's word for it the value at the entry is lost.
	case EXPRESSION_UNKNOWN_REGISTER:
		return ARG_NOWHERE;
	case EXPRESSION_UNREADABLE:
	case EXPRESSION_BAD:
		return ARG_UNAVAILABLE;
	}
	return ARG_UNAVAILABLE;
}

static enum arg_result put_pieces(const struct arg_frame *frame, Dwarf_Attribute *attribute,
	const Dwarf_Op *ops, size_t count, struct value *value)
{
	struct piece piece = {attribute, ops, 0};
	enum arg_result result = ARG_FOUND;
	size_t i = 0;

	while (value->size && result == ARG_FOUND && i < count) {
		unsigned size = value->size;

		for (; i < count && ops[i].atom != DW_OP_piece; i++)
			piece.count++;
		if (i < count) {
			if (!ops[i].number)
				return ARG_UNAVAILABLE;
			if (ops[i].number < size)
				size = (unsigned)ops[i].number;
			i++;
		}
		result = put_piece(frame, &piece, size, value);
		value->data += size;
		value->size -= size;
		piece.ops = ops + i;
		piece.count = 0;
	}
	return result == ARG_FOUND && value->size ? ARG_NOWHERE : result;
}

static enum arg_result put_constant(Dwarf_Attribute *attribute, struct value *value)
{
	Dwarf_Block block;
	uint64_t number;

	if (!dwarf_formblock(attribute, &block)) {
		if (block.length < value->size)
			return ARG_UNAVAILABLE;
		memcpy(value->data, block.data, value->size);
		return ARG_FOUND;
	}
	if (!die_constant(attribute, &number))
		return ARG_UNAVAILABLE;
	return put_number(value, value->size, number);
}

void arg_location_find(Dwarf_Die *die, uint64_t pc, struct arg_location *ret)
{
	*ret = (struct arg_location){0};
	if (dwarf_attr_integrate(die, DW_AT_const_value, &ret->attribute)) {
		ret->is_constant = true;
		return;
	}
	ret->is_expression =
		dwarf_attr(die, DW_AT_location, &ret->attribute) &&
		dwarf_getlocation_addr(&ret->attribute, pc, &ret->ops, &ret->count, 1) == 1 &&
		ret->count;
}

enum arg_result arg_location_read(const struct arg_frame *frame,
	const struct arg_location *location, unsigned size, uint8_t data_ret[ARG_VALUE_MAX])
{
	struct value value = {data_ret, size};
	Dwarf_Attribute attribute = location->attribute;

	if (size > ARG_VALUE_MAX)
		return ARG_UNAVAILABLE;
	if (location->is_constant)
		return put_constant(&attribute, &value);
	if (!location->is_expression)
		return ARG_NOWHERE;
	return put_pieces(frame, &attribute, location->ops, location->count, &value);
}

bool arg_location_number(const struct arg_frame *frame, Dwarf_Attribute *attribute, uint64_t *ret)
{
	struct piece piece = {.attribute = attribute};
	struct expression *expression;
	Dwarf_Op *ops;

	if (die_constant(attribute, ret))
		return true;
	if (dwarf_getlocation(attribute, &ops, &piece.count) || !piece.count)
		return false;
	piece.ops = ops;
	if (piece.count == 1 && named_register(&ops[0]) >= 0)
		return get_register(frame, named_register(&ops[0]), ret);
	expression = translate_all(frame, &piece);
	return expression && evaluate(frame, expression, ret) == EXPRESSION_OK;
}
