// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/value.h"

#include <string.h>

#include "base/arena.h"

struct value *value_create(struct arena *arena, enum value_kind kind)
{
	struct value *value = arena_zalloc(arena, sizeof(*value));

	value->kind = kind;
	return value;
}

struct value *value_number(
	struct arena *arena, uint64_t number, enum type_radix radix, unsigned size)
{
	struct value *value = value_create(arena, VALUE_NUMBER);

	value->number = number;
	value->radix = radix;
	value->size = (uint8_t)size;
	return value;
}

struct value *value_named(struct arena *arena, uint64_t number, const char *name)
{
	struct value *value = value_create(arena, VALUE_NAMED);

	value->number = number;
	value->name = name;
	value->radix = RADIX_HEX;
	return value;
}

struct value *value_address(struct arena *arena, uint64_t address, bool unreadable)
{
	struct value *value = value_create(arena, VALUE_ADDRESS);

	value->number = address;
	value->radix = RADIX_ADDRESS;
	value->unreadable = unreadable;
	return value;
}

struct value *value_bytes(struct arena *arena, const void *bytes, size_t length, bool truncated)
{
	struct value *value = value_create(arena, VALUE_BYTES);

	value->bytes = arena_copy(arena, bytes, length);
	value->length = length;
	value->truncated = truncated;
	return value;
}

void value_append(struct value *parent, struct value **last, struct value *child)
{
	if (*last)
		(*last)->next = child;
	else
		parent->first = child;
	*last = child;
}

void value_add_note(struct arena *arena, struct value *value, enum value_note_kind kind,
	const void *bytes, size_t length)
{
	struct value_note *note = arena_alloc(arena, sizeof(*note));

	*note = (struct value_note){
		.kind = kind,
		.bytes = arena_copy(arena, bytes, length),
		.length = length,
		.next = value->notes,
	};
	value->notes = note;
}

void value_add_detail(struct arena *arena, struct value *value, enum value_note_kind kind,
	const struct value *detail)
{
	struct value_note *note = arena_alloc(arena, sizeof(*note));

	*note = (struct value_note){.kind = kind, .detail = detail, .next = value->notes};
	value->notes = note;
}

static bool same_node(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && a->number == b->number && a->length == b->length &&
	       a->truncated == b->truncated && a->inverted == b->inverted &&
	       a->unreadable == b->unreadable &&
	       (a->kind != VALUE_BYTES || a->length == 0 ||
		       memcmp(a->bytes, b->bytes, a->length) == 0);
}

bool value_equal(const struct value *a, const struct value *b)
{
	const struct value *x = a->first;
	const struct value *y = b->first;

	if (!same_node(a, b))
		return false;
	for (; x && y; x = x->next, y = y->next) {
		if (!value_equal(x, y))
			return false;
	}
	return !x && !y;
}
