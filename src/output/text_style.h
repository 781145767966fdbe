// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_STYLE_H
#define SRC_OUTPUT_TEXT_STYLE_H

/** How much of a value is spelled out as text, and how: -v, -X, -x. */

#include <stdbool.h>

/** -X, --const-print-style */
enum text_constants {
	/** O_RDONLY|O_CLOEXEC */
	TEXT_CONSTANTS_ABBREV,
	/** 0x80000 */
	TEXT_CONSTANTS_RAW,
	/** 0x80000 with the names in a comment behind it */
	TEXT_CONSTANTS_VERBOSE,
};

/** -x, -xx, --strings-in-hex */
enum text_strings {
	/** Octal escapes for bytes that are not printable. */
	TEXT_STRINGS_OCTAL,
	/** Hexadecimal escapes for bytes that are not printable. */
	TEXT_STRINGS_HEX_ESCAPES,
	/** Strings with a byte that is no ASCII text are in hexadecimal as a whole. */
	TEXT_STRINGS_HEX_IF_NEEDED,
	/** All strings, and paths in angle brackets. */
	TEXT_STRINGS_HEX,
};

struct syscall_set;

struct text_style {
	/** Members flagged verbose are shown instead of "...". */
	bool verbose;
	/** -e raw=, -e verbose=: calls with bare numbers, with addresses of structures; or NULL. */
	const struct syscall_set *raw, *opaque;
	/** What an address leads to is not shown, unless it is a string. */
	bool hides_targets;
	/** -N: arguments with their names. */
	bool argument_names;
	enum text_constants constants;
	enum text_strings strings;
};

#endif
