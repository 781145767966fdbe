// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_CONST_SET_H
#define SRC_SCHEMA_CONST_SET_H

/** Named constants: from a value to names and back. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/abi_id.h"

struct constant {
	uint64_t value;
	const char *name;
};

enum const_set_kind {
	/** One name per value. */
	CONST_SET_ENUM,
	/** Names are or-ed; in order of the description, so composites come first. */
	CONST_SET_FLAGS,
};

/** What the bits of a part are. */
enum const_part_kind {
	/** A set of their own. */
	CONST_PART_NAMED,
	/** The permissions of a file. */
	CONST_PART_MODE,
	/** Numbers. */
	CONST_PART_DEC,
	CONST_PART_HEX,
};

/** Bits of a flag word that are an enum of their own (access mode, file type), or a number. */
struct const_part {
	uint64_t mask;
	/** CONST_PART_NAMED only. */
	const struct const_set *set;
	enum const_part_kind kind;
	/** How many bits up the number stands, and the name of that constant; or 0 and NULL. */
	uint8_t shift;
	const char *shift_name;
	/** Shown after the flags instead of before them (the signal of clone). */
	bool after;
};

struct const_set {
	const char *name;
	enum const_set_kind kind;
	/** What to call a value without a name: "O_???". */
	const char *unknown;
	/** Enums: sorted by value. Flags: in order of the description. */
	const struct constant *constants[ABI_COUNT];
	uint16_t count[ABI_COUNT];
	/** In this order, before the flags or after them. */
	const struct const_part *parts;
	uint16_t part_count;
};

/** The name of exactly @value, or NULL. */
const char *const_set_name(const struct const_set *set, enum abi_id abi, uint64_t value);
/** The value of @name; false if the set has no such name. */
bool const_set_value(const struct const_set *set, enum abi_id abi, const char *name, uint64_t *ret);

#endif
