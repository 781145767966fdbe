// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/format.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/bits.h"
#include "decode/annotate.h"
#include "decode/eval.h"
#include "decode/fetch.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/const_set.h"
#include "schema/type.h"

enum {
	NSEC_PER_SEC = 1000000000,
};

static unsigned base_size(const struct walk *walk, const struct type *type)
{
	unsigned size = type->size[walk->abi];

	return size && size <= 8 ? size : walk->word;
}

struct value *format_dev(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	struct value *value = value_create(walk->arena, VALUE_CALL);
	struct value *last = NULL;
	uint64_t dev;

	(void)args;
	if (!fetch_number(walk, place, base_size(walk, type), false, false, &dev))
		return NULL;
	value->name = "makedev";
	value->number = dev;
	value->radix = RADIX_HEX;
	value->size = (uint8_t)base_size(walk, type);
	value_append(value, &last, value_number(walk->arena, major(dev), RADIX_HEX, 4));
	value_append(value, &last, value_number(walk->arena, minor(dev), RADIX_HEX, 4));
	return value;
}

struct value *format_multiple(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	const struct const_set *set = type->target->set;
	unsigned size = base_size(walk, type);
	const char *name = NULL;
	struct value *value;
	uint64_t number;

	if (!fetch_number(walk, place, size, false, false, &number))
		return NULL;
	if (set)
		name = const_set_name(set, walk->abi, number);
	if (!name && args[0] && number > args[0] && number % args[0] == 0)
		name = arena_printf(walk->arena, "%llu*%llu",
			(unsigned long long)(number / args[0]), (unsigned long long)args[0]);
	if (!name)
		return value_number(walk->arena, number, RADIX_UNSIGNED, size);
	value = value_named(walk->arena, number, name);
	value->radix = RADIX_UNSIGNED;
	value->size = (uint8_t)size;
	return value;
}

struct value *format_ticks(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	uint64_t ticks;

	(void)args;
	if (!fetch_number(walk, place, base_size(walk, type), true, false, &ticks))
		return NULL;
	return scalar_ticks(walk, ticks, base_size(walk, type));
}

// Parts of a second, of which there are args[0] in one.
struct value *format_duration(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	struct value *value = walk_type(walk, type->target, place);
	uint64_t number = value ? value->number : 0;
	bool negative = type->target->is_signed && (int64_t)number < 0;
	int digits = 0;
	const char *text;

	if (!value || number == 0 || args[0] == 0)
		return value;
	if (negative)
		number = -number;
	for (uint64_t unit = args[0]; unit > 1; unit /= 10)
		digits++;
	text = arena_printf(walk->arena, "%s%llu.%0*llu s", negative ? "-" : "",
		(unsigned long long)(number / args[0]), digits,
		(unsigned long long)(number % args[0]));
	value_add_note(walk->arena, value, NOTE_COMMENT, text, strlen(text));
	return value;
}

// A number of seconds, or a struct of seconds and nanoseconds.
struct value *format_date(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	struct value *value = walk_type(walk, type->target, place);
	const struct value *seconds = value;
	uint64_t nanoseconds = args[0];

	if (!value)
		return NULL;
	if (value->kind == VALUE_STRUCT) {
		seconds = value->first;
		if (!seconds || !seconds->next)
			return value;
		nanoseconds = seconds->next->number;
		if (nanoseconds >= NSEC_PER_SEC)
			return value;
	}
	annotate_date(walk, value, (int64_t)seconds->number, nanoseconds,
		/* microseconds= */ false);
	return value;
}

struct value *format_comment(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	struct value *value = walk_type(walk, type->target, place);
	const struct value_note *note = value ? value->notes : NULL;
	struct value *comment;

	(void)args;
	if (!note)
		return NULL;
	comment = value_named(walk->arena, value->number,
		arena_printf(walk->arena, "%.*s", (int)note->length, (const char *)note->bytes));
	comment->size = value->size;
	return comment;
}

struct value *format_scaled(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	uint64_t number;

	if (!fetch_number(walk, place, base_size(walk, type), false, false, &number))
		return NULL;
	return value_number(walk->arena, number * args[0], RADIX_HEX, 8);
}

// A number whose halves stand apart from each other.
struct value *format_halves(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	const struct type *base = type->target;
	struct place low = place_offset(place, args[0]);
	struct place high = place_offset(place, args[1]);
	uint64_t bits[2];

	if (!base || !base->set || !fetch_number(walk, &low, 4, false, false, &bits[0]) ||
		!fetch_number(walk, &high, 4, false, false, &bits[1]))
		return NULL;
	return scalar_named(walk, base, base->set, bits[1] << 32 | bits[0]);
}

struct value *format_at(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	struct place target = place_memory(args[0]);

	(void)place;
	return args[0] ? walk_type(walk, type->target, &target) : NULL;
}

struct value *format_macro(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	const struct type *packed = type->target;
	unsigned size = base_size(walk, packed);
	struct place number = place_fetched(0, NULL, size);
	struct value *value;
	uint64_t bits;

	(void)args;
	if (!fetch_number(walk, place, size, false, false, &bits))
		return NULL;
	number.data = arena_copy(walk->arena, &bits, sizeof(bits));
	value = walk_type(walk, packed, &number);
	if (!value || value->kind != VALUE_STRUCT)
		return value;
	value->kind = VALUE_CALL;
	value->name = packed->name;
	value->size = (uint8_t)size;
	value->number = bits;
	value->radix = RADIX_UNSIGNED;
	if (packed->member_count && packed->members[0].type->is_signed) {
		value->radix = RADIX_SIGNED;
		value->number = sign_extend(bits, size);
	}
	for (struct value *child = value->first; child; child = child->next)
		child->label = NULL;
	return value;
}

struct value *format_explained(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[FORMAT_ARGS_MAX])
{
	struct value *value = walk_type(walk, type->target, place);

	(void)args;
	if (value)
		value->explained = true;
	return value;
}

struct value *format_value(struct walk *walk, const struct type *type, const struct place *place)
{
	static format_fn *const formats[] = {
		[FORMAT_DEV] = format_dev,
		[FORMAT_DATE] = format_date,
		[FORMAT_COMMENT] = format_comment,
		[FORMAT_TICKS] = format_ticks,
		[FORMAT_DURATION] = format_duration,
		[FORMAT_SCALED] = format_scaled,
		[FORMAT_MULTIPLE] = format_multiple,
		[FORMAT_HALVES] = format_halves,
		[FORMAT_HTONS] = format_htons,
		[FORMAT_INET] = format_inet,
		[FORMAT_INET6_GROUP] = format_inet6_group,
		[FORMAT_MAC] = format_mac,
		[FORMAT_TERMIOS_CC] = format_termios_cc,
		[FORMAT_AT] = format_at,
		[FORMAT_MACRO] = format_macro,
		[FORMAT_EXPLAINED] = format_explained,
	};
	uint64_t args[FORMAT_ARGS_MAX] = {0};

	for (unsigned i = 0; i < type->argument_count && i < FORMAT_ARGS_MAX; i++)
		args[i] = eval(walk, type->arguments[i]);
	return formats[type->format](walk, type, place, args);
}
