// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/aggregate.h"
#include "decode/bytes.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/msg.h"
#include "decode/sequence.h"
#include "decode/value.h"
#include "decode/walk.h"

struct buffer {
	uint64_t base;
	uint64_t length;
};

// False if it is unreadable.
static bool read_buffer(struct walk *walk, const struct place *place, struct buffer *ret)
{
	const uint8_t *data = fetch_bytes(walk, place, 2 * (size_t)walk->word);

	if (!data)
		return false;
	ret->base = bytes_to_number(data, walk->word, false, false);
	ret->length = bytes_to_number(data + walk->word, walk->word, false, false);
	return true;
}

static struct value *buffer_value(
	struct walk *walk, const struct buffer *buffer, bool follow, uint64_t *total)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;
	uint64_t filled = buffer->length < *total ? buffer->length : *total;
	struct value *base;

	base = follow ? bytes_buffer(walk, buffer->base, filled)
		      : value_address(walk->arena, buffer->base, false);
	*total -= filled;
	aggregate_add(value, &last, "iov_base", base);
	aggregate_add(value, &last, "iov_len",
		value_number(walk->arena, buffer->length, RADIX_UNSIGNED, walk->word));
	return value;
}

static struct value *buffers_value(
	struct walk *walk, const struct place *place, uint64_t count, bool follow, uint64_t total)
{
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	uint64_t shown = sequence_limit(walk);

	for (uint64_t i = 0; i < count; i++) {
		struct place next = place_offset(place, i * 2 * walk->word);
		struct buffer buffer;

		if (i == shown || walk->nodes_left == 0) {
			array->truncated = true;
			break;
		}
		walk->nodes_left--;
		if (!read_buffer(walk, &next, &buffer)) {
			array->unreadable = true;
			array->number = next.address;
			return i == 0 ? NULL : array;
		}
		value_append(array, &last, buffer_value(walk, &buffer, follow, &total));
	}
	return array;
}

struct value *msg_iovec(
	struct walk *walk, taddr address, uint64_t count, bool follow, uint64_t total)
{
	struct place place = place_memory(address);
	struct value *value = address ? buffers_value(walk, &place, count, follow, total) : NULL;

	return value ? value : value_address(walk->arena, address, address != 0);
}

struct value *hook_iovec(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	(void)type;
	return buffers_value(walk, place, args[0], /* follow= */ true, UINT64_MAX);
}

struct value *hook_iovec_out(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	(void)type;
	if (!walk->at_exit)
		walk->pending = true;
	return buffers_value(walk, place, args[0], walk->at_exit && !walk->failed, args[1]);
}
