// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_ARG_TYPE_H
#define UNWIND_DESCRIBE_ARG_TYPE_H

/** What must be known of the type of a parameter to read and to show its value. */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct arena;
struct unwind_arg;
struct debug_files;

enum arg_type_kind {
	/** Shown as `...`. */
	ARG_TYPE_AGGREGATE,
	ARG_TYPE_SIGNED,
	ARG_TYPE_UNSIGNED,
	ARG_TYPE_BOOL,
	/** One byte, shown as a character as well. */
	ARG_TYPE_SIGNED_CHARACTER,
	ARG_TYPE_UNSIGNED_CHARACTER,
	ARG_TYPE_REAL,
	ARG_TYPE_POINTER,
	ARG_TYPE_CHARACTER_POINTER,
	ARG_TYPE_FUNCTION_POINTER,
	ARG_TYPE_ENUM,
};

struct arg_type {
	enum arg_type_kind kind;
	/** Bytes; 1 to 16 for all but aggregates. */
	unsigned size;
	/** The value is the address of what the other members describe. */
	bool is_reference;
	/** Of ARG_TYPE_ENUM. */
	bool is_signed;
	Dwarf_Die die;
};

/** The type of the parameter @die of @files; @word is the size of addresses there. */
void arg_type_of(struct debug_files *files, Dwarf_Die *die, unsigned word, struct arg_type *ret);
/** @size bytes and sign of the integer base type @die; false for other types. */
bool arg_type_integer(Dwarf_Die *die, uint64_t *size_ret, bool *is_signed_ret);
/**
 * The names of @value, in @arena: "A", or "(A | B)" and "(A | unknown: 0x4)" if they are
 * bits; NULL if it has none.
 */
const char *arg_type_enum_names(
	struct debug_files *files, const struct arg_type *type, int64_t value, struct arena *arena);

#endif
