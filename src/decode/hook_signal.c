// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "abi/abi.h"
#include "decode/aggregate.h"
#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

static void add_signal(struct walk *walk, struct value *set, struct value **last, unsigned signal)
{
	const char *name = signal_name(walk->abi, (int)signal);

	if (!name) {
		value_append(set, last, value_number(walk->arena, signal, RADIX_UNSIGNED, 4));
		return;
	}
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	value_append(set, last, value_named(walk->arena, signal, name));
}

static struct value *set_value(struct walk *walk, uint64_t bits, unsigned count)
{
	struct value *set = value_create(walk->arena, VALUE_BITSET);
	struct value *last = NULL;

	set->number = bits;
	// Two thirds of all signals are easier told by those that are missing.
	if ((unsigned)__builtin_popcountll(bits) >= count * 2 / 3) {
		set->inverted = true;
		bits = ~bits;
	}
	for (unsigned i = 0; i < count; i++) {
		if (bits >> i & 1)
			add_signal(walk, set, &last, i + 1);
	}
	return set;
}

struct value *hook_sigset(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	unsigned size = type->size[walk->abi] ? type->size[walk->abi] : 8;
	uint64_t bits;

	if (args[0] && args[0] != size)
		return value_address(walk->arena, place->address, false);
	if (size > 8 || !fetch_number(walk, place, size, false, false, &bits))
		return NULL;
	return set_value(walk, bits, 8 * size);
}

// In the frame that the kernel built for a handler, after the handler's return took the first
// word off it.
static bool read_mask(struct walk *walk, bool old_frame, uint64_t *ret)
{
	const struct abi *abi = abi_get(walk->abi);
	struct place place = place_memory(walk->call->sp + abi->signal_mask);
	uint64_t low, high;

	if (!old_frame)
		return fetch_number(walk, &place, 8, false, false, ret);
	place = place_memory(walk->call->sp + abi->old_signal_mask[0]);
	if (!fetch_number(walk, &place, 4, false, false, &low))
		return false;
	place = place_memory(walk->call->sp + abi->old_signal_mask[1]);
	if (!fetch_number(walk, &place, 4, false, false, &high))
		return false;
	*ret = high << 32 | low;
	return true;
}

struct value *hook_sigreturn(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *frame;
	struct value *last = NULL;
	uint64_t bits;

	(void)type;
	(void)place;
	if (!walk->call->sp || !read_mask(walk, args[0] != 0, &bits))
		return value_address(walk->arena, walk->call->sp, true);
	frame = value_create(walk->arena, VALUE_STRUCT);
	aggregate_add(frame, &last, "mask", set_value(walk, bits, 64));
	return frame;
}
