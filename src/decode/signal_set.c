// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/signal_set.h"

#include <string.h>

#include "abi/abi.h"
#include "decode/value.h"

static void add_signal(struct arena *arena, enum abi_id abi, struct value *set, struct value **last,
	unsigned signal)
{
	const char *name = signal_name(abi, (int)signal);

	if (!name) {
		value_append(set, last, value_number(arena, signal, RADIX_UNSIGNED, 4));
		return;
	}
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	value_append(set, last, value_named(arena, signal, name));
}

struct value *signal_set_value(struct arena *arena, enum abi_id abi, uint64_t bits, unsigned count)
{
	struct value *set = value_create(arena, VALUE_BITSET);
	struct value *last = NULL;

	set->number = bits;
	// Two thirds of all signals are easier told by those that are missing.
	if ((unsigned)__builtin_popcountll(bits) >= count * 2 / 3) {
		set->inverted = true;
		bits = ~bits;
	}
	for (unsigned i = 0; i < count; i++) {
		if (bits >> i & 1)
			add_signal(arena, abi, set, &last, i + 1);
	}
	return set;
}
