// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/pointer.h"

#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

struct value *pointer_ref(struct walk *walk, uint64_t address, struct value *target)
{
	struct value *ref;

	if (!target)
		return value_address(walk->arena, address, true);
	// A hook that does not want to look says so by the address itself.
	if (target->kind == VALUE_ADDRESS && target->number == address && target->size == 0)
		return target;
	ref = value_create(walk->arena, VALUE_REF);
	ref->number = address;
	ref->first = target;
	return ref;
}

struct value *pointer_change(struct walk *walk, struct value *before, struct value *after)
{
	struct value *change;

	if (!before || !after || value_equal(before, after))
		return after;
	change = value_create(walk->arena, VALUE_CHANGE);
	change->number = after->number;
	change->first = before;
	before->next = after;
	after->next = NULL;
	return change;
}

static struct value *follow(struct walk *walk, const struct type *type, uint64_t address)
{
	struct place place = place_memory(address);

	return type->target ? walk_type(walk, type->target, &place) : NULL;
}

// Irregular types may compare with what they saw at entry.
static struct value *follow_in(
	struct walk *walk, const struct type *type, uint64_t address, struct value *before)
{
	struct value *target;

	walk->before = before && before->kind == VALUE_REF ? before->first : NULL;
	target = follow(walk, type, address);
	walk->before = NULL;
	return target;
}

static struct value *follow_both_times(
	struct walk *walk, const struct type *type, uint64_t address, struct value *before)
{
	struct value *after = follow(walk, type, address);

	if (before && before->kind == VALUE_REF)
		after = pointer_change(walk, before->first, after);
	return pointer_ref(walk, address, after);
}

struct value *pointer_value(struct walk *walk, const struct type *type, const struct place *place)
{
	struct value *before = walk_take_before(walk);
	uint64_t address;

	if (!fetch_word(walk, place, &address))
		return NULL;
	if (type->direction != DIRECTION_IN && !walk->at_exit)
		walk->pending = true;
	if (address == 0)
		return value_address(walk->arena, 0, false);
	switch (type->direction) {
	case DIRECTION_IN:
		return pointer_ref(walk, address, follow_in(walk, type, address, before));
	case DIRECTION_OUT:
		if (!walk->at_exit || walk->failed)
			return value_address(walk->arena, address, false);
		return pointer_ref(walk, address, follow(walk, type, address));
	case DIRECTION_INOUT:
		return follow_both_times(walk, type, address, before);
	}
	return NULL;
}
