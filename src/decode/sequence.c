// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/sequence.h"

#include "base/bits.h"
#include "decode/decoder.h"
#include "decode/eval.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/const_set.h"
#include "schema/type.h"

enum {
	/** Bytes of elements read at a time. */
	CHUNK_SIZE = 1024,
	/** No mask of the kernel is longer. */
	BITS_SIZE_MAX = 8192,
};

uint64_t sequence_limit(const struct walk *walk)
{
	return walk->verbose ? WALK_NODES_MAX : walk->options->string_limit;
}

/** Elements of one type, fetched some at a time. */
struct elements {
	struct place start;
	size_t size;
	/** Elements that may be fetched ahead. */
	uint64_t count;
	/** Elements in @chunk: from @from on, @held of them. */
	uint64_t from, held;
	struct place chunk;
};

// Where element @index is; false if it is unreadable.
static bool element_place(
	struct walk *walk, struct elements *elements, uint64_t index, struct place *ret)
{
	struct place place = place_offset(&elements->start, index * elements->size);
	uint64_t ahead = CHUNK_SIZE / elements->size;

	if (index >= elements->from + elements->held) {
		const uint8_t *data;
		size_t got;

		if (ahead > elements->count - index)
			ahead = elements->count - index;
		data = fetch_some(walk, &place, (ahead ? ahead : 1) * elements->size, &got);
		elements->from = index;
		elements->held = got / elements->size;
		elements->chunk = place_fetched(place.address, data, got);
	}
	if (elements->held == 0)
		return false;
	*ret = place_offset(&elements->chunk, (index - elements->from) * elements->size);
	return true;
}

static bool element_is_zero(const struct place *place, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (place->data[i])
			return false;
	}
	return true;
}

// The first @shown of elements->count, up to one of zeroes if @until_zero.
static struct value *elements_value(struct walk *walk, const struct type *target,
	struct elements *elements, uint64_t shown, bool until_zero)
{
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;

	for (uint64_t i = 0; i < elements->count; i++) {
		struct place place;
		struct value *child = NULL;

		if (element_place(walk, elements, i, &place)) {
			if (until_zero && element_is_zero(&place, elements->size))
				break;
			if (i == shown) {
				array->truncated = true;
				break;
			}
			child = walk_type(walk, target, &place);
		}
		if (!child) {
			array->unreadable = true;
			array->number = elements->start.address + i * elements->size;
			return i == 0 ? NULL : array;
		}
		value_append(array, &last, child);
	}
	return array;
}

static bool elements_init(struct walk *walk, struct elements *elements, const struct type *target,
	const struct place *place, uint64_t count)
{
	size_t size = target->size[walk->abi];

	*elements = (struct elements){.start = *place, .size = size, .count = count};
	return !place->in_register && size != 0;
}

struct value *sequence_array(struct walk *walk, const struct type *type, const struct place *place)
{
	struct elements elements;
	uint64_t count = type->length ? eval(walk, type->length) : 0;
	uint64_t shown = sequence_limit(walk);

	if (count == 0)
		return value_create(walk->arena, VALUE_ARRAY);
	if (!elements_init(walk, &elements, type->target, place, count))
		return NULL;
	return elements_value(walk, type->target, &elements, shown, false);
}

struct value *sequence_list(struct walk *walk, const struct type *type, const struct place *place)
{
	struct elements elements;

	if (!elements_init(walk, &elements, type->target, place, WALK_NODES_MAX))
		return NULL;
	return elements_value(walk, type->target, &elements, sequence_limit(walk), true);
}

struct value *sequence_bits(struct walk *walk, const struct type *type, const struct place *place)
{
	uint64_t size = type->length ? eval(walk, type->length) : type->size[walk->abi];
	struct value *last = NULL;
	struct value *set;
	const uint8_t *data;

	if (size > BITS_SIZE_MAX)
		size = BITS_SIZE_MAX;
	data = fetch_bytes(walk, place, (size_t)size);
	if (!data)
		return NULL;
	set = value_create(walk->arena, VALUE_BITSET);
	for (size_t bit = 0; bit < size * 8; bit++) {
		const char *name;

		if (!(data[bit / 8] >> bit % 8 & 1))
			continue;
		name = type->set ? const_set_name(type->set, walk->abi, bit) : NULL;
		value_append(set, &last,
			name ? value_named(walk->arena, bit, name)
			     : value_number(walk->arena, bit, RADIX_UNSIGNED, 4));
	}
	return set;
}
