// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/aggregate.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "decode/decoder.h"
#include "decode/eval.h"
#include "decode/pointer.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

void aggregate_add(
	struct value *record, struct value **last, const char *label, struct value *child)
{
	child->label = label;
	value_append(record, last, child);
}

static bool all_zero(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (data[i])
			return false;
	}
	return true;
}

static bool is_shown(struct walk *walk, const struct member *member, const struct place *place)
{
	// Members that only expressions use are called so.
	if (member->name && strcmp(member->name, "_") == 0)
		return false;
	if (member->condition && !eval(walk, member->condition))
		return false;
	if (member->nonzero) {
		size_t size = member->type->size[walk->abi];
		const uint8_t *data = fetch_bytes(walk, place, size);

		return !data || !all_zero(data, size);
	}
	return true;
}

static struct value *bit_field(
	struct walk *walk, const struct member *member, const struct place *place)
{
	const struct type *type = member->type;
	struct place field;
	uint64_t number;

	if (!fetch_number(walk, place, type->size[walk->abi], false, type->big_endian, &number))
		return NULL;
	number >>= member->shift;
	if (member->bits < 64)
		number &= (UINT64_C(1) << member->bits) - 1;
	field = place_register(number);
	return walk_type(walk, type, &field);
}

// The members of a nested struct that are shown as ours.
static void splice(struct value *record, struct value **last, struct value *nested)
{
	struct value *child = nested->first;

	while (child) {
		struct value *next = child->next;

		child->next = NULL;
		value_append(record, last, child);
		child = next;
	}
	record->truncated |= nested->truncated;
}

// What the member was at entry, on its own; NULL if it was not shown.
static struct value *member_before(
	struct walk *walk, const struct value *before, const struct member *member)
{
	if (!before || before->kind != VALUE_STRUCT)
		return NULL;
	value_for_each (child, before) {
		if (child->label && strcmp(child->label, member->name) == 0) {
			struct value *copy = arena_copy(walk->arena, child, sizeof(*child));

			copy->next = NULL;
			return copy;
		}
	}
	return NULL;
}

// False if the member could not be read.
static bool add_member(struct walk *walk, const struct member *member, const struct place *place,
	const struct value *before, struct value *record, struct value **last)
{
	struct value *child;

	if (member->verbose && !walk->verbose) {
		record->truncated = true;
		return true;
	}
	child = member->bits ? bit_field(walk, member, place)
			     : walk_type(walk, member->type, place);
	if (!child)
		return false;
	if (member->flatten && child->kind == record->kind) {
		splice(record, last, child);
		return true;
	}
	if (member->inout) {
		walk->pending |= !walk->at_exit;
		child = pointer_change(walk, member_before(walk, before, member), child);
	}
	child->verbose = member->verbose;
	// A list of parts has no names for them.
	aggregate_add(record, last, record->kind == VALUE_STRUCT ? member->name : NULL, child);
	return true;
}

static bool add_members(struct walk *walk, const struct type *type, const struct value *before,
	struct value *record, uint64_t given)
{
	const struct place *start = &walk->scope.place;
	uint64_t room = walk->room;
	struct value *last = NULL;

	for (unsigned i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		uint64_t offset = member->offset[walk->abi];
		struct place place = place_offset(start, offset);

		if (offset + member->type->size[walk->abi] > given ||
			(type->parts && offset >= room)) {
			record->truncated |= given == room;
			continue;
		}
		walk->room = room == UINT64_MAX ? room : room - offset;
		if (!is_shown(walk, member, &place))
			continue;
		if (!add_member(walk, member, &place, before, record, &last)) {
			record->incomplete = true;
			record->number = place.address;
			return record->first != NULL;
		}
	}
	return true;
}

// What stands behind the members we know, in a struct whose size the caller gave.
static void add_tail(struct walk *walk, struct value *record, const struct place *place,
	uint64_t size, uint64_t given)
{
	struct place tail = place_offset(place, size);
	struct value *last = record->first;
	size_t length = (size_t)(given - size);
	const uint8_t *data;
	struct value *bytes;

	// The kernel refuses structs larger than a page.
	if (given <= size || given > 4096)
		return;
	data = fetch_bytes(walk, &tail, length);
	if (!data) {
		record->incomplete = true;
		record->number = tail.address;
		return;
	}
	if (all_zero(data, length))
		return;
	while (last && last->next)
		last = last->next;
	bytes = value_bytes(walk->arena, data, length, false);
	bytes->hex_only = true;
	bytes->number = size;
	value_append(record, &last, bytes);
}

struct value *aggregate_struct(
	struct walk *walk, const struct type *type, const struct place *place)
{
	struct scope outer = walk->scope;
	struct value *before = walk_take_before(walk);
	struct value *record = value_create(walk->arena, VALUE_STRUCT);
	uint64_t size = type->size[walk->abi];
	uint64_t given = type->given_size ? eval(walk, type->given_size) : UINT64_MAX;
	uint64_t room = walk->room;
	struct place start = *place;
	bool ok;

	if (place->in_register || given == 0)
		return NULL;
	if (type->parts)
		record->kind = VALUE_ARRAY;
	else if (given > room)
		given = room;
	if (size && !type->parts) {
		size_t wanted = (size_t)(given < size ? given : size);
		size_t got;
		const uint8_t *data = fetch_some(walk, place, wanted, &got);

		if (got < wanted && !(type->piecewise && got))
			return NULL;
		start = place_fetched(place->address, data, got);
	}
	walk->scope.record = type;
	walk->scope.place = start;
	ok = add_members(walk, type, before, record, given);
	walk->scope = outer;
	walk->room = room;
	if (!ok)
		return NULL;
	// A header on its own is not put in brackets.
	if (type->parts && record->first && !record->first->next)
		return record->first;
	if (size && type->given_size)
		add_tail(walk, record, place, size, given);
	return record;
}
