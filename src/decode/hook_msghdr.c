// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "decode/aggregate.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/msg.h"
#include "decode/pointer.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"

/** A struct msghdr, widened. */
struct message {
	uint64_t name, name_length;
	uint64_t buffers, buffer_count;
	uint64_t control, control_length;
	uint64_t flags;
};

// From include/linux/socket.h, struct user_msghdr and compat_msghdr.
static bool read_message(struct walk *walk, const struct place *place, struct message *ret)
{
	unsigned word = walk->word;
	const uint8_t *data = fetch_bytes(walk, place, word == 8 ? 56 : 28);

	if (!data)
		return false;
	*ret = (struct message){
		.name = bytes_to_number(data, word, false, false),
		.name_length = bytes_to_number(data + word, 4, true, false),
		.buffers = bytes_to_number(data + 2 * word, word, false, false),
		.buffer_count = bytes_to_number(data + 3 * word, word, false, false),
		.control = bytes_to_number(data + 4 * word, word, false, false),
		.control_length = bytes_to_number(data + 5 * word, word, false, false),
		.flags = bytes_to_number(data + 6 * word, 4, false, false),
	};
	return true;
}

static struct value *name_value(struct walk *walk, uint64_t address, uint64_t length)
{
	const uint64_t args[HOOK_ARGS_MAX] = {length};
	struct place place = place_memory(address);

	if (address == 0)
		return value_address(walk->arena, 0, false);
	return pointer_ref(walk, address, hook_sockaddr(walk, NULL, &place, args));
}

static struct value *message_value(struct walk *walk, const struct message *message,
	struct value *name_length, uint64_t total, int fd)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;
	struct arena *arena = walk->arena;

	aggregate_add(
		value, &last, "msg_name", name_value(walk, message->name, message->name_length));
	aggregate_add(value, &last, "msg_namelen", name_length);
	aggregate_add(value, &last, "msg_iov",
		msg_iovec(walk, message->buffers, message->buffer_count, /* follow= */ true, total,
			fd));
	aggregate_add(value, &last, "msg_iovlen",
		value_number(arena, message->buffer_count, RADIX_UNSIGNED, walk->word));
	if (message->control_length)
		aggregate_add(value, &last, "msg_control",
			msg_control(walk, message->control, message->control_length));
	aggregate_add(value, &last, "msg_controllen",
		value_number(arena, message->control_length, RADIX_UNSIGNED, walk->word));
	aggregate_add(
		value, &last, "msg_flags", scalar_in_set(walk, "message_flags", message->flags, 4));
	return value;
}

static struct value *length_value(struct walk *walk, uint64_t length)
{
	return value_number(walk->arena, length, RADIX_SIGNED, 4);
}

struct value *hook_msghdr(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct message message;

	(void)type;
	if (!read_message(walk, place, &message))
		return NULL;
	return message_value(walk, &message, length_value(walk, message.name_length), UINT64_MAX,
		(int)args[0] - 1);
}

// The msg_namelen of what was seen at entry, which the call may change.
static const struct value *length_before(const struct value *before)
{
	if (!before || before->kind != VALUE_STRUCT)
		return NULL;
	value_for_each (child, before) {
		if (child->label && strcmp(child->label, "msg_namelen") == 0)
			return child;
	}
	return NULL;
}

struct value *hook_msghdr_out(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	const struct value *before = length_before(walk_take_before(walk));
	struct value *length;
	struct message message;

	(void)type;
	if (!read_message(walk, place, &message))
		return NULL;
	length = length_value(walk, message.name_length);
	if (!walk->at_exit || walk->failed) {
		struct value *value = value_create(walk->arena, VALUE_STRUCT);
		struct value *last = NULL;

		walk->pending = true;
		aggregate_add(value, &last, "msg_namelen", length);
		return value;
	}
	if (before) {
		length = pointer_change(walk, length_value(walk, before->number), length);
		if (before->number < message.name_length)
			message.name_length = before->number;
	}
	return message_value(walk, &message, length, args[0], (int)args[1] - 1);
}
