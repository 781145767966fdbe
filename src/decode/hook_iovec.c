// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/aggregate.h"
#include "decode/bytes.h"
#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/msg.h"
#include "decode/netlink.h"
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

/** Buffers one after the other, and what is in them. */
struct buffers {
	uint64_t count;
	bool follow;
	/** Bytes in all of them that count. */
	uint64_t total;
	/** The socket that they are sent or received by, or -1. */
	int fd;
};

static struct value *content_value(
	struct walk *walk, const struct buffers *buffers, uint64_t base, uint64_t length)
{
	struct place place = place_memory(base);
	struct value *messages;

	if (!buffers->follow)
		return value_address(walk->arena, base, false);
	messages = netlink_packet(walk, buffers->fd, &place, length);
	return messages ? messages : bytes_buffer(walk, base, length);
}

static struct value *buffer_value(
	struct walk *walk, const struct buffer *buffer, struct buffers *buffers)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;
	uint64_t left = buffers->total;
	uint64_t filled = buffer->length < left ? buffer->length : left;

	if (buffers->total != UINT64_MAX)
		buffers->total -= filled;
	aggregate_add(value, &last, "iov_base", content_value(walk, buffers, buffer->base, filled));
	aggregate_add(value, &last, "iov_len",
		value_number(walk->arena, buffer->length, RADIX_UNSIGNED, walk->word));
	return value;
}

static void keep_buffer(struct walk *walk, const struct buffer *buffer,
	const struct buffers *buffers, unsigned index)
{
	uint64_t length = buffer->length < buffers->total ? buffer->length : buffers->total;

	// Behind the end of what was received nothing was touched.
	if (buffers->follow && buffers->total)
		bytes_keep_listed(walk, buffer->base, length, index, (unsigned)buffers->count);
}

static struct value *buffers_value(
	struct walk *walk, const struct place *place, struct buffers buffers)
{
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	uint64_t shown = sequence_limit(walk);

	for (uint64_t i = 0; i < buffers.count; i++) {
		struct place next = place_offset(place, i * 2 * walk->word);
		struct buffer buffer;

		if (!read_buffer(walk, &next, &buffer)) {
			array->unreadable = true;
			array->number = next.address;
			if (walk->data)
				walk->call->data = NULL;
			return i == 0 ? NULL : array;
		}
		if (i == shown || walk->nodes_left == 0) {
			array->truncated = true;
			break;
		}
		walk->nodes_left--;
		keep_buffer(walk, &buffer, &buffers, (unsigned)i);
		value_append(array, &last, buffer_value(walk, &buffer, &buffers));
	}
	return array;
}

struct value *msg_iovec(
	struct walk *walk, taddr address, uint64_t count, bool follow, uint64_t total, int fd)
{
	struct place place = place_memory(address);
	struct buffers buffers = {count, follow, total, fd};
	struct value *value = address ? buffers_value(walk, &place, buffers) : NULL;

	walk->data_lists++;
	return value ? value : value_address(walk->arena, address, address != 0);
}

struct value *hook_iovec(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	(void)type;
	return buffers_value(walk, place, (struct buffers){args[0], true, UINT64_MAX, -1});
}

struct value *hook_iovec_out(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	(void)type;
	if (!walk->at_exit)
		walk->pending = true;
	return buffers_value(walk, place,
		(struct buffers){args[0], walk->at_exit && !walk->failed, args[1], -1});
}

struct value *hook_packet(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *messages = netlink_packet(walk, (int)args[0], place, args[1]);

	(void)type;
	bytes_keep(walk, place->address, args[1]);
	if (messages)
		return messages;
	return bytes_buffer(walk, place->address, args[1]);
}
