// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/scalar.h"

#include <fcntl.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/bits.h"
#include "decode/annotate.h"
#include "decode/eval.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/const_set.h"
#include "schema/lookup.h"
#include "schema/type.h"

static unsigned number_size(const struct walk *walk, const struct type *type)
{
	unsigned size = type->size[walk->abi];

	return size && size <= 8 ? size : walk->word;
}

static struct value *number_value(
	struct walk *walk, const struct type *type, uint64_t number, unsigned size)
{
	struct value *value;

	if (type->role == ROLE_DIRFD && (int)number == AT_FDCWD) {
		value = value_named(walk->arena, number, "AT_FDCWD");
		value->radix = RADIX_SIGNED;
	} else if (type->radix == RADIX_ADDRESS) {
		value = value_address(walk->arena, number, false);
	} else {
		value = value_number(walk->arena, number, type->radix, size);
	}
	value->size = (uint8_t)size;
	value->role = type->role;
	return value;
}

struct value *scalar_number(struct walk *walk, const struct type *type, const struct place *place)
{
	unsigned size = number_size(walk, type);
	struct value *value;
	uint64_t number;

	if (!fetch_number(walk, place, size, type->is_signed, type->big_endian, &number))
		return NULL;
	value = number_value(walk, type, number, size);
	switch (type->role) {
	case ROLE_FD:
	case ROLE_DIRFD:
		annotate_fd(walk, value);
		break;
	case ROLE_TGID:
	case ROLE_TID:
	case ROLE_PID_OR_GROUP:
		annotate_pid(walk, value);
		break;
	case ROLE_UID:
	case ROLE_GID:
		if (sign_extend(number, size) == UINT64_MAX) {
			value->number = UINT64_MAX;
			value->radix = RADIX_SIGNED;
		}
		break;
	case ROLE_FD_RANGE:
	case ROLE_REGION:
		value->length = type->length ? eval(walk, type->length) : 0;
		break;
	default:
		break;
	}
	return value;
}

static struct value *enum_value(struct walk *walk, const struct type *type,
	const struct const_set *set, uint64_t number, unsigned size)
{
	const char *name = const_set_name(set, walk->abi, number);
	struct value *value;

	// Negative constants of a type that is unsigned here.
	if (!name && sign_extend(number, size) != number)
		name = const_set_name(set, walk->abi, sign_extend(number, size));
	value = value_named(walk->arena, number, name);
	value->radix = type->radix;
	value->unknown = name ? NULL : set->unknown;
	return value;
}

struct flags {
	struct value *value;
	struct value *last;
	/** Bits that have no name yet. */
	uint64_t rest;
};

static void add_name(struct walk *walk, struct flags *flags, uint64_t number, const char *name)
{
	value_append(flags->value, &flags->last, value_named(walk->arena, number, name));
}

// A number among flags. Zero is told only beside others, and not where it is shifted.
static void add_number(
	struct walk *walk, const struct const_part *part, struct flags *flags, uint64_t bits)
{
	const char *format = part->kind == CONST_PART_DEC ? "%llu%s%s" : "%#llx%s%s";
	const char *name = part->shift_name ? part->shift_name : "";

	if (bits == 0 && (part->shift_name || !flags->value->first))
		return;
	if (!part->shift_name && !flags->value->first) {
		value_append(flags->value, &flags->last,
			value_number(walk->arena, bits,
				part->kind == CONST_PART_DEC ? RADIX_UNSIGNED : RADIX_HEX, 8));
		return;
	}
	add_name(walk, flags, bits,
		arena_printf(walk->arena, format, (unsigned long long)(bits >> part->shift),
			*name ? "<<" : "", name));
}

static void add_named_part(
	struct walk *walk, const struct const_part *part, struct flags *flags, uint64_t bits)
{
	const char *name = const_set_name(part->set, walk->abi, bits);
	struct value *unnamed;

	if (name) {
		add_name(walk, flags, bits, name);
	} else if (bits && part->set->unknown) {
		unnamed = value_number(walk->arena, bits, RADIX_HEX, 8);
		unnamed->unknown = part->set->unknown;
		value_append(flags->value, &flags->last, unnamed);
	}
}

static void add_parts(struct walk *walk, const struct const_set *set, struct flags *flags,
	uint64_t number, bool after)
{
	for (unsigned i = 0; i < set->part_count; i++) {
		const struct const_part *part = &set->parts[i];
		uint64_t bits = number & part->mask;

		if (part->after != after)
			continue;
		switch (part->kind) {
		case CONST_PART_NAMED:
			add_named_part(walk, part, flags, bits);
			break;
		case CONST_PART_MODE:
			value_append(flags->value, &flags->last,
				value_number(walk->arena, bits, RADIX_MODE, 4));
			break;
		case CONST_PART_DEC:
		case CONST_PART_HEX:
			add_number(walk, part, flags, bits);
			break;
		}
	}
}

// The bits of @number that parts have words for: they are not flags.
static uint64_t bits_of_parts(struct walk *walk, const struct const_set *set, uint64_t number)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < set->part_count; i++) {
		const struct const_part *part = &set->parts[i];

		if (part->kind != CONST_PART_NAMED || part->set->unknown ||
			const_set_name(part->set, walk->abi, number & part->mask))
			bits |= part->mask;
	}
	return bits;
}

static void add_flags(struct walk *walk, const struct const_set *set, struct flags *flags)
{
	const struct constant *constants = set->constants[walk->abi];

	for (unsigned i = 0; i < set->count[walk->abi] && flags->rest; i++) {
		uint64_t bits = constants[i].value;

		if (bits == 0 || (flags->rest & bits) != bits)
			continue;
		add_name(walk, flags, bits, constants[i].name);
		flags->rest &= ~bits;
	}
}

static struct value *flags_value(struct walk *walk, const struct type *type,
	const struct const_set *set, uint64_t number, unsigned size)
{
	struct flags flags = {value_create(walk->arena, VALUE_FLAGS), NULL, number};
	uint64_t unnamed;
	const char *zero = number == 0 ? const_set_name(set, walk->abi, 0) : NULL;

	flags.value->number = number;
	flags.value->radix = type->radix;
	flags.value->unknown = set->unknown;
	if (zero) {
		add_name(walk, &flags, 0, zero);
		return flags.value;
	}
	flags.rest &= ~bits_of_parts(walk, set, number);
	add_parts(walk, set, &flags, number, /* after= */ false);
	unnamed = flags.rest;
	add_flags(walk, set, &flags);
	if (flags.rest) {
		struct value *rest = value_number(walk->arena, flags.rest, type->radix, size);

		// Parts say nothing about the kind of the bits beside them.
		if (flags.rest == unnamed)
			rest->unknown = set->unknown;
		value_append(flags.value, &flags.last, rest);
	}
	add_parts(walk, set, &flags, number, /* after= */ true);
	return flags.value;
}

struct value *scalar_named(
	struct walk *walk, const struct type *type, const struct const_set *set, uint64_t number)
{
	unsigned size = number_size(walk, type);
	struct value *value;

	if (set->kind == CONST_SET_FLAGS)
		value = flags_value(walk, type, set, zero_extend(number, size), size);
	else
		value = enum_value(walk, type, set, number, size);
	value->size = (uint8_t)size;
	value->role = type->role;
	return value;
}

struct value *scalar_set(struct walk *walk, const struct type *type, const struct place *place)
{
	uint64_t number;

	if (!fetch_number(walk, place, number_size(walk, type), type->is_signed, type->big_endian,
		    &number))
		return NULL;
	return scalar_named(walk, type, type->set, number);
}

struct value *scalar_in_set(struct walk *walk, const char *set_name, uint64_t number, unsigned size)
{
	const struct const_set *set = const_set_by_name(set_name);
	struct type type = {.kind = TYPE_SET, .radix = RADIX_HEX};

	if (!set)
		return value_number(walk->arena, number, RADIX_HEX, size);
	type.size[walk->abi] = size;
	return scalar_named(walk, &type, set, number);
}

struct value *scalar_ticks(struct walk *walk, uint64_t ticks, unsigned size)
{
	// What the kernel counts in for user space, whatever it ticks at itself.
	enum { USER_HZ = 100 };
	struct value *value = value_number(walk->arena, ticks, RADIX_SIGNED, size);
	char text[48];
	int length;

	if (ticks == 0)
		return value;
	length = snprintf(text, sizeof(text), "%lld.%02lld s", (long long)ticks / USER_HZ,
		(long long)ticks % USER_HZ);
	value_add_note(walk->arena, value, NOTE_COMMENT, text, (size_t)length);
	return value;
}
