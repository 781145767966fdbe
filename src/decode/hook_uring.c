// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/buf.h"
#include "decode/call.h"
#include "decode/decoder.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "proc/uring.h"
#include "proc/view.h"
#include "schema/type.h"

/** The entries of a ring under way. */
struct submissions {
	struct walk *walk;
	struct uring *ring;
	/** The slot that was named last, by @has_last. */
	uint64_t last;
	bool has_last;
};

// What is submitted, in a comment: the opcodes.
static void note_entries(struct walk *walk, struct value *value)
{
	struct buf text = {0};

	value_for_each (entry, value) {
		const struct value *opcode = entry->first;

		if (text.length)
			buf_string(&text, ", ");
		if (opcode && opcode->name)
			buf_string(&text, opcode->name);
		else
			buf_unsigned(&text, opcode ? opcode->number : 0);
	}
	if (text.length)
		value_add_note(walk->arena, value, NOTE_COMMENT, text.data, text.length);
	buf_deinit(&text);
}

static bool name_slot(struct submissions *all, struct value *value, const struct uring_slot *slot)
{
	struct buf name = {0};
	bool known = uring_slot_name(slot, &name);

	if (known)
		value_add_note(all->walk->arena, value, NOTE_PATH, name.data, name.length);
	buf_deinit(&name);
	return known;
}

// Which files the slots from value->number on stand for.
static void name_slots(struct submissions *all, struct value *value)
{
	struct uring *ring = all->ring;
	uint64_t first = value->number, count = value->length;
	size_t at;

	if (!ring->text) {
		all->walk->call->blind |= CALL_BLIND_SLOT;
		return;
	}
	uring_list_slots(ring);
	// Most programs use one slot again and again.
	if (first >= ring->slot_count || (count == 1 && all->has_last && all->last == first))
		return;
	all->last = first;
	all->has_last = count == 1;
	at = uring_slot_at(ring, (unsigned)first);
	if (!uring_lists_all(ring))
		all->walk->call->blind |= CALL_BLIND_SLOT;
	for (; at < ring->slots.count && ring->slots.data[at].number - first < count; at++) {
		if (!name_slot(all, value, &ring->slots.data[at]))
			all->walk->call->blind |= CALL_BLIND_SLOT;
	}
}

static void name_all_slots(struct submissions *all, struct value *value)
{
	if (value->role == ROLE_RING_SLOT)
		name_slots(all, value);
	for (struct value *child = value->first; child; child = child->next)
		name_all_slots(all, child);
}

static void add_entries(struct walk *walk, struct uring *ring, const struct type *entry,
	struct value *value, uint32_t count)
{
	struct submissions all = {.walk = walk, .ring = ring};
	struct value *last = NULL;

	for (size_t i = 0; i < ring->entries.count && i < count; i++) {
		struct place next = place_memory(ring->entries.data[i]);
		struct value *made = walk_type(walk, entry, &next);

		if (!made) {
			walk->call->blind |= CALL_BLIND_RING;
			break;
		}
		name_all_slots(&all, made);
		value_append(value, &last, made);
	}
}

struct value *hook_submissions(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	const struct type *entry = type->target ? type->target->target : NULL;
	struct value *value;
	struct uring ring;
	uint64_t count;

	if (!fetch_word(walk, place, &count))
		return NULL;
	value = value_number(walk->arena, (uint32_t)count, RADIX_UNSIGNED, 4);
	if (!walk->options->submissions || !entry || walk->at_exit || !(uint32_t)count)
		return value;
	if (view_uring(walk->view, (int)args[0], /* is_number= */ args[1] != 0, &ring)) {
		if (ring.polled)
			walk->call->blind |= CALL_BLIND_POLLED;
		if (ring.hidden)
			walk->call->blind |= CALL_BLIND_RING;
		add_entries(walk, &ring, entry, value, (uint32_t)count);
	}
	uring_deinit(&ring);
	note_entries(walk, value);
	return value;
}

struct value *hook_ring_files(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value = type->target ? walk_type(walk, type->target, place) : NULL;
	struct value *last = NULL, *slots;
	struct uring ring;

	if (!value || !walk->options->submissions || walk->at_exit)
		return value;
	if (view_uring(walk->view, (int)args[0], /* is_number= */ args[1] != 0, &ring)) {
		slots = value_number(walk->arena, args[2], RADIX_UNSIGNED, 4);
		slots->role = ROLE_RING_SLOT;
		slots->length = args[3];
		value_append(value, &last, slots);
		name_slots(&(struct submissions){.walk = walk, .ring = &ring}, slots);
	}
	uring_deinit(&ring);
	return value;
}

struct value *hook_ring_slot(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	// IORING_FILE_INDEX_ALLOC: any that is free.
	const uint32_t any = UINT32_MAX;
	struct value *value = type->target ? walk_type(walk, type->target, place) : NULL;
	uint64_t bias = args[0];

	if (!value || value->number < bias || (bias && value->number == any))
		return value;
	value->number -= bias;
	value->length = type->argument_count > 1 ? args[1] : 1;
	value->role = ROLE_RING_SLOT;
	return value;
}

struct value *hook_ring_flags(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	// IORING_SETUP_SQPOLL
	enum { POLLED = 2 };
	struct value *value = type->target ? walk_type(walk, type->target, place) : NULL;

	(void)args;
	if (value && (value->number & POLLED))
		walk->call->blind |= CALL_BLIND_POLLED;
	return value;
}
