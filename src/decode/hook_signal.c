// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "abi/abi.h"
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

struct value *hook_sigset(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	unsigned size = type->size[walk->abi] ? type->size[walk->abi] : 8;
	unsigned count = 8 * size;
	struct value *last = NULL;
	struct value *set;
	uint64_t bits;

	if (args[0] && args[0] != size)
		return value_address(walk->arena, place->address, false);
	if (size > 8 || !fetch_number(walk, place, size, false, false, &bits))
		return NULL;
	set = value_create(walk->arena, VALUE_BITSET);
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
