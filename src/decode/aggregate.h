// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_AGGREGATE_H
#define SRC_DECODE_AGGREGATE_H

/** Structs: their members at their offsets, as conditions and sizes allow. */

#include <stdint.h>

struct place;
struct type;
struct value;
struct walk;

/** TYPE_STRUCT; NULL if its bytes are not all readable. */
struct value *aggregate_struct(
	struct walk *walk, const struct type *type, const struct place *place);
/** Adds @child, called @label, to a STRUCT under construction; @last as in value_append(). */
void aggregate_add(
	struct value *record, struct value **last, const char *label, struct value *child);

#endif
