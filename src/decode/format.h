// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_FORMAT_H
#define SRC_DECODE_FORMAT_H

/**
 * The formats of the language: `name[T, e, …]` in a description, where T is the number
 * or the few bytes shown and the e say how. What each one shows stands in
 * syscalls/README.md. A format reads what it shows and nothing else: it keeps no state
 * and does not ask about the call (that is what hooks are for).
 */

#include <stdint.h>

struct place;
struct type;
struct value;
struct walk;

enum {
	/** Expressions a format can have. */
	FORMAT_ARGS_MAX = 2,
};

/** Builds the value of @type, whose target is T, at @place; NULL: memory could not be read. */
typedef struct value *format_fn(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[FORMAT_ARGS_MAX]);

/** TYPE_FORMAT: evaluates the expressions and shows T; NULL as of format_fn. */
struct value *format_value(struct walk *walk, const struct type *type, const struct place *place);

format_fn format_dev;
format_fn format_date;
format_fn format_comment;
format_fn format_ticks;
format_fn format_duration;
format_fn format_scaled;
format_fn format_multiple;
format_fn format_halves;
format_fn format_macro;
format_fn format_explained;
format_fn format_htons;
format_fn format_inet;
format_fn format_inet6_group;
format_fn format_mac;
format_fn format_termios_cc;
format_fn format_at;

#endif
