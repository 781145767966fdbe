// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/arena.h"
#include "decode/format.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/const_set.h"
#include "schema/lookup.h"
#include "schema/type.h"

static const char *character_name(struct walk *walk, const struct const_set *set, unsigned index)
{
	const char *name = set ? const_set_name(set, walk->abi, index) : NULL;

	return name ? name : arena_printf(walk->arena, "%u", index);
}

struct value *format_termios_cc(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[FORMAT_ARGS_MAX])
{
	const struct const_set *set = const_set_by_name("termios_cc");
	struct value *array = walk_type(walk, type->target, place);
	unsigned index = 0;

	(void)args;
	if (!array || array->kind != VALUE_ARRAY)
		return array;
	for (struct value *child = array->first; child; child = child->next)
		child->label = character_name(walk, set, index++);
	return array;
}
