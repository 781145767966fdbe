// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/value.h"

#include "base/arena.h"
#include "unit.h"

static struct arena arena;

CASE(children_come_in_order)
{
	struct value *parent = value_create(&arena, VALUE_ARRAY);
	struct value *last = NULL;
	unsigned next = 0;

	for (unsigned i = 0; i < 3; i++)
		value_append(parent, &last, value_number(&arena, i, RADIX_HEX, 4));
	value_for_each (child, parent)
		assert_int_equal(child->number, next++);
	assert_int_equal(next, 3);
}

CASE(bytes_are_a_copy)
{
	char text[] = "ab";
	struct value *value = value_bytes(&arena, text, 2, /* truncated= */ true);

	text[0] = 'x';
	assert_memory_equal(value->bytes, "ab", 2);
	assert_int_equal(value->length, 2);
	assert_true(value->truncated);
}

CASE(notes_are_copies_newest_first)
{
	struct value *value = value_number(&arena, 3, RADIX_SIGNED, 4);
	char path[] = "/x";

	value_add_note(&arena, value, NOTE_DELETED, "", 0);
	value_add_note(&arena, value, NOTE_PATH, path, 2);
	path[1] = 'y';
	assert_int_equal(value->notes->kind, NOTE_PATH);
	assert_memory_equal(value->notes->bytes, "/x", 2);
	assert_int_equal(value->notes->next->kind, NOTE_DELETED);
	assert_null(value->notes->next->next);
}

static struct value *pair(uint64_t a, uint64_t b)
{
	struct value *parent = value_create(&arena, VALUE_STRUCT);
	struct value *last = NULL;

	value_append(parent, &last, value_number(&arena, a, RADIX_HEX, 4));
	value_append(parent, &last, value_number(&arena, b, RADIX_HEX, 4));
	return parent;
}

CASE(equal_means_the_whole_tree)
{
	struct value *longer = pair(1, 2);

	assert_true(value_equal(pair(1, 2), pair(1, 2)));
	assert_false(value_equal(pair(1, 2), pair(1, 3)));
	longer->first->next->next = value_number(&arena, 3, RADIX_HEX, 4);
	assert_false(value_equal(longer, pair(1, 2)));
	assert_false(value_equal(pair(1, 2), longer));
}

CASE(equal_bytes)
{
	assert_true(value_equal(
		value_bytes(&arena, "ab", 2, false), value_bytes(&arena, "ab", 2, false)));
	assert_false(value_equal(
		value_bytes(&arena, "ab", 2, false), value_bytes(&arena, "ac", 2, false)));
	assert_false(value_equal(
		value_bytes(&arena, "ab", 2, false), value_bytes(&arena, "ab", 2, true)));
	assert_true(
		value_equal(value_bytes(&arena, "", 0, false), value_bytes(&arena, "", 0, false)));
}

// Numbers may have a length of something else, without bytes.
CASE(equal_regions)
{
	struct value *a = value_number(&arena, 0x1000, RADIX_ADDRESS, 8);
	struct value *b = value_number(&arena, 0x1000, RADIX_ADDRESS, 8);

	a->length = b->length = 4096;
	assert_true(value_equal(a, b));
	b->length = 8192;
	assert_false(value_equal(a, b));
}

CASE(another_kind_is_not_equal)
{
	assert_false(value_equal(
		value_number(&arena, 0, RADIX_HEX, 4), value_address(&arena, 0, false)));
}

RUN_CASES(ADD(children_come_in_order), ADD(bytes_are_a_copy), ADD(notes_are_copies_newest_first),
	ADD(equal_means_the_whole_tree), ADD(equal_bytes), ADD(equal_regions),
	ADD(another_kind_is_not_equal));
