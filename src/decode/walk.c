// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/walk.h"

#include "decode/aggregate.h"
#include "decode/bytes.h"
#include "decode/format.h"
#include "decode/hook.h"
#include "decode/netlink.h"
#include "decode/pointer.h"
#include "decode/scalar.h"
#include "decode/select.h"
#include "decode/sequence.h"
#include "decode/value.h"
#include "schema/type.h"

static struct value *walk_kind(
	struct walk *walk, const struct type *type, const struct place *place)
{
	switch (type->kind) {
	case TYPE_NUMBER:
		return scalar_number(walk, type, place);
	case TYPE_SET:
		return scalar_set(walk, type, place);
	case TYPE_POINTER:
		return pointer_value(walk, type, place);
	case TYPE_STRING:
		return bytes_string(walk, type, place);
	case TYPE_BYTES:
		return bytes_counted(walk, type, place);
	case TYPE_STRUCT:
		return aggregate_struct(walk, type, place);
	case TYPE_ARRAY:
		return sequence_array(walk, type, place);
	case TYPE_LIST:
		return sequence_list(walk, type, place);
	case TYPE_BITS:
		return sequence_bits(walk, type, place);
	case TYPE_SELECT:
		return select_case(walk, type, place);
	case TYPE_APPLY:
		return select_apply(walk, type, place);
	case TYPE_FORMAT:
		return format_value(walk, type, place);
	case TYPE_HOOK:
		return hook_value(walk, type, place);
	case TYPE_ATTRS:
		return netlink_attrs(walk, type, place);
	case TYPE_MESSAGES:
		return netlink_messages(walk, place);
	}
	return NULL;
}

struct value *walk_type(struct walk *walk, const struct type *type, const struct place *place)
{
	struct value *value;

	if (walk->nodes_left == 0 || walk->depth == WALK_DEPTH_MAX)
		return NULL;
	walk->nodes_left--;
	walk->depth++;
	value = walk_kind(walk, type, place);
	walk->depth--;
	return value;
}

struct value *walk_type_or_address(
	struct walk *walk, const struct type *type, const struct place *place)
{
	struct value *value = walk_type(walk, type, place);

	if (value)
		return value;
	return value_address(
		walk->arena, place->in_register ? place->number : place->address, true);
}

struct value *walk_take_before(struct walk *walk)
{
	struct value *before = walk->before;

	walk->before = NULL;
	return before;
}
