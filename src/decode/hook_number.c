// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/bits.h"
#include "decode/annotate.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/const_set.h"
#include "schema/type.h"

static unsigned base_size(const struct walk *walk, const struct type *type)
{
	unsigned size = type->size[walk->abi];

	return size && size <= 8 ? size : walk->word;
}

struct value *hook_dev(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value = value_create(walk->arena, VALUE_CALL);
	struct value *last = NULL;
	uint64_t dev;

	(void)args;
	if (!fetch_number(walk, place, base_size(walk, type), false, false, &dev))
		return NULL;
	value->name = "makedev";
	value->number = dev;
	value_append(value, &last, value_number(walk->arena, major(dev), RADIX_HEX, 4));
	value_append(value, &last, value_number(walk->arena, minor(dev), RADIX_HEX, 4));
	return value;
}

struct value *hook_rlimit(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	unsigned size = base_size(walk, type);
	const char *name = NULL;
	struct value *value;
	uint64_t limit;

	if (!fetch_number(walk, place, size, false, false, &limit))
		return NULL;
	if (limit == zero_extend(UINT64_MAX, size))
		name = args[0] ? "RLIM64_INFINITY" : "RLIM_INFINITY";
	else if (limit > 1024 && limit % 1024 == 0)
		name = arena_printf(walk->arena, "%llu*1024", (unsigned long long)limit / 1024);
	else
		return value_number(walk->arena, limit, RADIX_UNSIGNED, size);
	value = value_named(walk->arena, limit, name);
	value->size = (uint8_t)size;
	return value;
}

struct value *hook_ticks(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	uint64_t ticks;

	(void)args;
	if (!fetch_number(walk, place, base_size(walk, type), true, false, &ticks))
		return NULL;
	return scalar_ticks(walk, ticks, base_size(walk, type));
}

// A number of seconds, or a struct of seconds and nanoseconds.
struct value *hook_date(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value = type->target ? walk_type(walk, type->target, place) : NULL;
	const struct value *seconds = value;
	uint64_t nanoseconds = args[0];

	if (!value)
		return NULL;
	if (value->kind == VALUE_STRUCT) {
		seconds = value->first;
		if (!seconds || !seconds->next)
			return value;
		nanoseconds = seconds->next->number;
	}
	annotate_date(walk, value, (int64_t)seconds->number, nanoseconds,
		/* microseconds= */ false);
	return value;
}

// As a note after the number itself.
struct value *hook_date_only(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value = hook_date(walk, type, place, args);
	const struct value_note *note = value ? value->notes : NULL;
	struct value *date;

	if (!note)
		return NULL;
	date = value_named(walk->arena, value->number,
		arena_printf(walk->arena, "%.*s", (int)note->length, (const char *)note->bytes));
	date->size = value->size;
	return date;
}

struct value *hook_pages(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	unsigned size = base_size(walk, type);
	uint64_t pages;

	(void)args;
	if (!fetch_number(walk, place, size, false, false, &pages))
		return NULL;
	return value_number(walk->arena, pages * 4096, RADIX_HEX, 8);
}

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
