// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/bits.h"
#include "decode/aggregate.h"
#include "decode/annotate.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/sequence.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

enum {
	/** sizeof(struct pollfd) */
	POLLFD_SIZE = 8,
	/** Descriptors looked at. */
	FD_SET_MAX = 64 * 1024,
};

static struct value *timeout_note(struct walk *walk)
{
	return value_named(walk->arena, 0, "Timeout");
}

// What is left of the time at @address, as @type->target lays it out.
static void add_left(struct walk *walk, const struct type *type, uint64_t address,
	struct value *note, struct value **last)
{
	struct place place = place_memory(address);
	struct value *left;

	if (!address || !type->target)
		return;
	left = walk_type(walk, type->target, &place);
	if (left)
		aggregate_add(note, last, "left", left);
}

static struct value *fd_value(struct walk *walk, uint64_t fd)
{
	struct value *value = value_number(walk->arena, fd, RADIX_SIGNED, 4);

	value->role = ROLE_FD;
	annotate_fd(walk, value);
	return value;
}

static struct value *ready_value(struct walk *walk, const uint8_t *data)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	aggregate_add(value, &last, "fd", fd_value(walk, bytes_to_number(data, 4, true, false)));
	aggregate_add(value, &last, "revents",
		scalar_in_set(walk, "poll_events", bytes_to_number(data + 6, 2, false, false), 2));
	return value;
}

/** The descriptors of poll that are ready, being collected. */
struct ready {
	struct value *array;
	struct value *last;
	/** How many the result says there are, and how many are shown. */
	uint64_t due, limit;
};

// @held structs at @data; false when no more are to come.
static bool add_ready(struct walk *walk, struct ready *ready, const uint8_t *data, uint64_t held)
{
	for (uint64_t i = 0; i < held; i++, data += POLLFD_SIZE) {
		if (data[6] == 0 && data[7] == 0)
			continue;
		if (ready->limit-- == 0) {
			ready->array->truncated = true;
			return false;
		}
		value_append(ready->array, &ready->last, ready_value(walk, data));
		if (--ready->due == 0)
			return false;
	}
	return true;
}

static struct value *ready_list(struct walk *walk, uint64_t address, uint64_t count)
{
	enum { CHUNK = 128 };
	struct ready ready = {
		.array = value_create(walk->arena, VALUE_ARRAY),
		.due = walk->ret,
		.limit = sequence_limit(walk),
	};

	if (count > FD_SET_MAX)
		count = FD_SET_MAX;
	for (uint64_t i = 0; i < count; i += CHUNK) {
		struct place place = place_memory(address + i * POLLFD_SIZE);
		uint64_t wanted = count - i < CHUNK ? count - i : CHUNK;
		size_t got;
		const uint8_t *data = fetch_some(walk, &place, wanted * POLLFD_SIZE, &got);

		if (!add_ready(walk, &ready, data, got / POLLFD_SIZE) || got < wanted * POLLFD_SIZE)
			break;
	}
	return ready.array;
}

struct value *hook_poll_result(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *note = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	(void)place;
	if (walk->ret == 0)
		return timeout_note(walk);
	aggregate_add(note, &last, NULL, ready_list(walk, args[0], args[1]));
	add_left(walk, type, args[2], note, &last);
	return note;
}

// NULL if the set is unreadable. Only words with a bit in them cost more than a look.
static struct value *fd_set_value(struct walk *walk, const struct place *place, uint64_t count)
{
	size_t size = align_up((count + 7) / 8, walk->kernel_word);
	const uint8_t *data = fetch_bytes(walk, place, size);
	struct value *last = NULL;
	struct value *set;

	if (!data)
		return NULL;
	set = value_create(walk->arena, VALUE_BITSET);
	for (uint64_t fd = 0; fd < count; fd++) {
		if (data[fd / 8] == 0)
			fd |= 7;
		else if (data[fd / 8] >> fd % 8 & 1)
			value_append(set, &last, fd_value(walk, fd));
	}
	return set;
}

// As the kernel takes it: an int, of which it looks at no more than there can be descriptors.
static uint64_t fd_count(uint64_t number)
{
	if ((int)number < 0)
		return 0;
	return number < FD_SET_MAX ? number : FD_SET_MAX;
}

struct value *hook_fd_set(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	uint64_t count = fd_count(args[0]);

	(void)type;
	if (count == 0)
		return value_address(walk->arena, place->address, false);
	return fd_set_value(walk, place, count);
}

struct value *hook_select_result(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	static const char *const labels[] = {"in", "out", "except"};
	struct value *note = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;
	uint64_t count = fd_count(args[0]);

	(void)place;
	if (walk->ret == 0)
		return timeout_note(walk);
	for (unsigned i = 0; i < 3; i++) {
		struct place set_place = place_memory(args[1 + i]);
		struct value *set;

		if (!args[1 + i] || count == 0)
			continue;
		set = fd_set_value(walk, &set_place, count);
		if (set && set->first)
			aggregate_add(note, &last, labels[i], set);
	}
	add_left(walk, type, args[4], note, &last);
	return note->first ? note : NULL;
}
