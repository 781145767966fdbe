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

static const char polled[] =
	"the kernel polls a ring of io_uring: what is submitted to it cannot be seen";

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

struct value *hook_submissions(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	const struct type *entry = type->target ? type->target->target : NULL;
	struct value *last = NULL;
	struct value *value;
	struct uring ring;
	uint64_t count;

	if (!fetch_word(walk, place, &count))
		return NULL;
	value = value_number(walk->arena, (uint32_t)count, RADIX_UNSIGNED, 4);
	if (!walk->options->submissions || !entry || walk->at_exit ||
		!view_uring(walk->view, (int)args[0], &ring))
		return value;
	if (ring.polled)
		walk->call->blind = polled;
	for (unsigned i = 0; i < ring.count && i < (uint32_t)count; i++) {
		struct place next = place_memory(ring.entries[i]);
		struct value *made = walk_type(walk, entry, &next);

		if (made)
			value_append(value, &last, made);
	}
	note_entries(walk, value);
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
		walk->call->blind = polled;
	return value;
}
