// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/const_set.h"
#include "schema/type.h"

static struct value *named_direction(struct walk *walk, unsigned direction)
{
	struct value *flags = value_create(walk->arena, VALUE_FLAGS);
	struct value *last = NULL;

	flags->number = direction;
	if (direction == 0)
		value_append(flags, &last, value_named(walk->arena, 0, "_IOC_NONE"));
	if (direction & 2)
		value_append(flags, &last, value_named(walk->arena, 2, "_IOC_READ"));
	if (direction & 1)
		value_append(flags, &last, value_named(walk->arena, 1, "_IOC_WRITE"));
	return flags;
}

struct value *hook_ioctl_request(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	const struct const_set *set = type->target ? type->target->set : NULL;
	struct value *value;
	struct value *last = NULL;
	uint64_t code;

	(void)args;
	if (!fetch_number(walk, place, 4, false, false, &code))
		return NULL;
	if (set && const_set_name(set, walk->abi, code))
		return scalar_named(walk, type->target, set, code);
	value = value_create(walk->arena, VALUE_CALL);
	value->name = "_IOC";
	value->number = code;
	value_append(value, &last, named_direction(walk, (unsigned)(code >> 30)));
	value_append(value, &last, value_number(walk->arena, code >> 8 & 0xff, RADIX_HEX, 1));
	value_append(value, &last, value_number(walk->arena, code & 0xff, RADIX_HEX, 1));
	value_append(value, &last, value_number(walk->arena, code >> 16 & 0x3fff, RADIX_HEX, 2));
	return value;
}
