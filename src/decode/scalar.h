// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_SCALAR_H
#define SRC_DECODE_SCALAR_H

/** Numbers and named constants. */

#include <stdint.h>

struct const_set;
struct place;
struct type;
struct value;
struct walk;

/** TYPE_NUMBER: a NUMBER; an ADDRESS where that is its radix; AT_FDCWD is NAMED. */
struct value *scalar_number(struct walk *walk, const struct type *type, const struct place *place);
/** TYPE_SET: NAMED, or FLAGS when several names may be or-ed. */
struct value *scalar_set(struct walk *walk, const struct type *type, const struct place *place);
/** @number as the constants of @set call it; @type gives size and radix of what has no name. */
struct value *scalar_named(
	struct walk *walk, const struct type *type, const struct const_set *set, uint64_t number);
/** As scalar_named() for a set by its name in the descriptions and a number of @size bytes. */
struct value *scalar_in_set(
	struct walk *walk, const char *set_name, uint64_t number, unsigned size);
/** Clock ticks as user space counts them, with the seconds in a comment. */
struct value *scalar_ticks(struct walk *walk, uint64_t ticks, unsigned size);

#endif
