// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/arg_type.h"

#include <dwarf.h>

#include "base/arena.h"
#include "unwind/dwarf/die.h"

enum {
	/** Typedefs and qualifiers around a type; real ones have less than ten. */
	LAYERS_MAX = 64,
	ENUMERATORS_MAX = 4096,
};

/** Follows typedefs and qualifiers from @die to a type that has a form; false for void. */
static bool peel(struct debug_files *files, Dwarf_Die *die)
{
	for (int i = 0; i < LAYERS_MAX; i++) {
		Dwarf_Die next;

		switch (dwarf_tag(die)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
		case DW_TAG_immutable_type:
		case DW_TAG_packed_type:
			if (!die_reference(files, die, DW_AT_type, &next))
				return false;
			*die = next;
			break;
		default:
			return true;
		}
	}
	return false;
}

static unsigned byte_size(Dwarf_Die *die, unsigned otherwise)
{
	uint64_t size;

	return die_number(die, DW_AT_byte_size, &size) && size <= 16 ? (unsigned)size : otherwise;
}

static uint64_t encoding_of(Dwarf_Die *die)
{
	uint64_t encoding;

	return dwarf_tag(die) == DW_TAG_base_type && die_number(die, DW_AT_encoding, &encoding)
		       ? encoding
		       : 0;
}

static void use_base_type(struct arg_type *type)
{
	bool is_integer = type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;

	switch (encoding_of(&type->die)) {
	case DW_ATE_boolean:
		type->kind = is_integer ? ARG_TYPE_BOOL : ARG_TYPE_AGGREGATE;
		break;
	case DW_ATE_signed:
		type->kind = is_integer ? ARG_TYPE_SIGNED : ARG_TYPE_AGGREGATE;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
		type->kind = is_integer ? ARG_TYPE_UNSIGNED : ARG_TYPE_AGGREGATE;
		break;
	case DW_ATE_signed_char:
		type->kind = type->size == 1 ? ARG_TYPE_SIGNED_CHARACTER : ARG_TYPE_SIGNED;
		break;
	case DW_ATE_unsigned_char:
		type->kind = type->size == 1 ? ARG_TYPE_UNSIGNED_CHARACTER : ARG_TYPE_UNSIGNED;
		break;
	case DW_ATE_float:
		type->kind =
			type->size == 4 || type->size == 8 ? ARG_TYPE_REAL : ARG_TYPE_AGGREGATE;
		break;
	default:
		break;
	}
}

static void use_pointer(struct debug_files *files, unsigned word, struct arg_type *type)
{
	Dwarf_Die target;
	uint64_t encoding;

	type->size = byte_size(&type->die, word);
	type->kind = type->size == 4 || type->size == 8 ? ARG_TYPE_POINTER : ARG_TYPE_AGGREGATE;
	if (type->kind == ARG_TYPE_AGGREGATE ||
		!die_reference(files, &type->die, DW_AT_type, &target) || !peel(files, &target))
		return;
	encoding = encoding_of(&target);
	if ((encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char) &&
		byte_size(&target, 1) == 1)
		type->kind = ARG_TYPE_CHARACTER_POINTER;
	else if (dwarf_tag(&target) == DW_TAG_subroutine_type)
		type->kind = ARG_TYPE_FUNCTION_POINTER;
}

static void use_enum(struct debug_files *files, struct arg_type *type)
{
	Dwarf_Die base;
	uint64_t size;

	type->size = byte_size(&type->die, 4);
	type->kind = type->size && type->size <= 8 ? ARG_TYPE_ENUM : ARG_TYPE_AGGREGATE;
	if (die_reference(files, &type->die, DW_AT_type, &base) && peel(files, &base))
		arg_type_integer(&base, &size, &type->is_signed);
}

void arg_type_of(struct debug_files *files, Dwarf_Die *die, unsigned word, struct arg_type *ret)
{
	*ret = (struct arg_type){.kind = ARG_TYPE_AGGREGATE};
	if (!die_reference(files, die, DW_AT_type, &ret->die) || !peel(files, &ret->die))
		return;
	if (dwarf_tag(&ret->die) == DW_TAG_reference_type ||
		dwarf_tag(&ret->die) == DW_TAG_rvalue_reference_type) {
		Dwarf_Die target;

		ret->is_reference = true;
		if (!die_reference(files, &ret->die, DW_AT_type, &target) || !peel(files, &target))
			return;
		ret->die = target;
	}
	ret->size = byte_size(&ret->die, 0);
	switch (dwarf_tag(&ret->die)) {
	case DW_TAG_base_type:
		use_base_type(ret);
		break;
	case DW_TAG_pointer_type:
		use_pointer(files, word, ret);
		break;
	case DW_TAG_unspecified_type:
		ret->size = word;
		ret->kind = ARG_TYPE_POINTER;
		break;
	case DW_TAG_enumeration_type:
		use_enum(files, ret);
		break;
	default:
		break;
	}
}

bool arg_type_integer(Dwarf_Die *die, uint64_t *size_ret, bool *is_signed_ret)
{
	uint64_t encoding = encoding_of(die), size;

	if (!die_number(die, DW_AT_byte_size, &size) || size < 1 || size > 8)
		return false;
	switch (encoding) {
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		*is_signed_ret = true;
		break;
	case DW_ATE_boolean:
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
	case DW_ATE_address:
		*is_signed_ret = false;
		break;
	default:
		return false;
	}
	*size_ret = size;
	return true;
}

/** The value of the enumerator @die; false if it is no enumerator. */
static bool enumerator(Dwarf_Die *die, int64_t *ret)
{
	Dwarf_Attribute attribute;
	uint64_t value;

	if (dwarf_tag(die) != DW_TAG_enumerator ||
		!dwarf_attr(die, DW_AT_const_value, &attribute) ||
		!die_constant(&attribute, &value))
		return false;
	*ret = (int64_t)value;
	return true;
}

/** "TYPE::" for an enumeration that is a scope of its own, else "". */
static const char *enum_scope(
	struct debug_files *files, Dwarf_Die *enumeration, struct arena *arena)
{
	Dwarf_Attribute attribute;
	const char *name = die_string(files, enumeration, DW_AT_name);
	bool is_class = false;

	if (!name || !dwarf_attr(enumeration, DW_AT_enum_class, &attribute) ||
		dwarf_formflag(&attribute, &is_class) || !is_class)
		return "";
	return arena_printf(arena, "%s::", name);
}

/** @value as bits that are @names, and what is left of it. */
static const char *bit_names(const char *names, uint64_t rest, struct arena *arena)
{
	if (!rest)
		return arena_printf(arena, "(%s)", names);
	return arena_printf(arena, "(%s%sunknown: 0x%llx)", names ? names : "", names ? " | " : "",
		(unsigned long long)rest);
}

const char *arg_type_enum_names(
	struct debug_files *files, const struct arg_type *type, int64_t value, struct arena *arena)
{
	Dwarf_Die enumeration = type->die, die;
	const char *scope = enum_scope(files, &enumeration, arena), *names = NULL;
	uint64_t rest = (uint64_t)value, seen = 0;
	bool are_bits = value != 0;
	int count = 0;
	int64_t number;

	if (dwarf_child(&enumeration, &die))
		return NULL;
	do {
		uint64_t bits;
		const char *name;

		if (!enumerator(&die, &number))
			continue;
		bits = (uint64_t)number;
		name = die_string(files, &die, DW_AT_name);
		if (!name)
			return NULL;
		if (number == value)
			return arena_printf(arena, "%s%s", scope, name);
		// An enumeration of flags has no two members that share a bit.
		are_bits = are_bits && !(bits & seen) && number >= 0;
		seen |= bits;
		if (!bits || (rest & bits) != bits)
			continue;
		rest &= ~bits;
		names = arena_printf(
			arena, "%s%s%s%s", names ? names : "", names ? " | " : "", scope, name);
	} while (++count < ENUMERATORS_MAX && !dwarf_siblingof(&die, &die));
	return are_bits ? bit_names(names, rest, arena) : NULL;
}
