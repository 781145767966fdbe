// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_OPTION_FIELD_H
#define SRC_CLI_OPTION_FIELD_H

/**
 * Options that do no more than store a value: which member of struct options, and what may be
 * stored. A row of the option table has one of these, or a setter of its own.
 *
 * The macros take the member as it is written behind `options->`, check its type, and make the
 * end of a row: `{'w', "wall", OPTION_NO_ARGUMENT, NULL, NULL, "help", FLAG(session.wall)}`.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct options;

enum option_field_kind {
	/** There is no such member: the row has a setter. */
	OPTION_FIELD_NONE,
	/** Stores @least, whatever the argument. */
	OPTION_FIELD_VALUE,
	/** Stores the argument itself, which lives as long as the command line. */
	OPTION_FIELD_TEXT,
	/** A decimal number from @least to @most. */
	OPTION_FIELD_NUMBER,
	/** A time, at least @least nanoseconds; a number without unit counts @unit nanoseconds. */
	OPTION_FIELD_DURATION,
	/** The index of the argument in @names; @least without argument. */
	OPTION_FIELD_CHOICE,
};

struct option_field {
	enum option_field_kind kind;
	/** Where in struct options, and how many bytes: 1, 4 or 8. */
	size_t offset, size;
	uint64_t least, most, unit;
	/** Ends with NULL. */
	const char *const *names;
};

/** The offset of @member, which must have this type. */
#define OPTION_OFFSET(member, type)                                                                \
	_Generic(((struct options *)NULL)->member, type : offsetof(struct options, member))
#define OPTION_SIZE(member) sizeof(((struct options *)NULL)->member)

/** A bool that becomes true. */
#define FLAG(member)                                                                               \
	.field = {.kind = OPTION_FIELD_VALUE,                                                      \
		.offset = OPTION_OFFSET(member, bool),                                             \
		.size = sizeof(bool),                                                              \
		.least = true}
/** An enum or integer that becomes @value. */
#define VALUE(member, value)                                                                       \
	.field = {.kind = OPTION_FIELD_VALUE,                                                      \
		.offset = offsetof(struct options, member),                                        \
		.size = OPTION_SIZE(member),                                                       \
		.least = (value)}
/** A const char * that borrows the argument. */
#define TEXT(member)                                                                               \
	.field = {.kind = OPTION_FIELD_TEXT, .offset = OPTION_OFFSET(member, const char *)}
/** An unsigned integer of 4 or 8 bytes. */
#define NUMBER(member, at_least, at_most)                                                          \
	.field = {.kind = OPTION_FIELD_NUMBER,                                                     \
		.offset = offsetof(struct options, member),                                        \
		.size = OPTION_SIZE(member),                                                       \
		.least = (at_least),                                                               \
		.most = (at_most)}
/** A uint64_t of nanoseconds. */
#define DURATION(member, bare_unit, at_least)                                                      \
	.field = {.kind = OPTION_FIELD_DURATION,                                                   \
		.offset = OPTION_OFFSET(member, uint64_t),                                         \
		.least = (at_least),                                                               \
		.unit = (bare_unit)}
/** An enum or bool whose values are the indices of the @list of names. */
#define CHOICE(member, list, without_argument)                                                     \
	.field = {.kind = OPTION_FIELD_CHOICE,                                                     \
		.offset = offsetof(struct options, member),                                        \
		.size = OPTION_SIZE(member),                                                       \
		.least = (without_argument),                                                       \
		.names = (list)}

/**
 * Stores what @argument (NULL if none was given) means. @name is how the message calls the
 * option, which says what would be right. On failure nothing is stored.
 */
struct error *option_field_set(const struct option_field *field, struct options *options,
	const char *name, const char *argument);

#endif
