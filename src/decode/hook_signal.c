// SPDX-License-Identifier: MIT
// Copyright the tracer authors

#include "abi/abi.h"
#include "decode/aggregate.h"
#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/signal_set.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

struct value *hook_sigset(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	unsigned size = type->size[walk->abi] ? type->size[walk->abi] : 8;
	uint64_t bits;

	if (args[0] && args[0] != size)
		return value_address(walk->arena, place->address, false);
	if (size > 8 || !fetch_number(walk, place, size, false, false, &bits))
		return NULL;
	return signal_set_value(walk->arena, walk->abi, bits, 8 * size);
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
	aggregate_add(frame, &last, "mask", signal_set_value(walk->arena, walk->abi, bits, 64));
	return frame;
}
