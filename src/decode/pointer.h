// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_POINTER_H
#define SRC_DECODE_POINTER_H

/** Addresses of something: followed at the time their direction says. */

#include <stdint.h>

struct place;
struct type;
struct value;
struct walk;

/**
 * TYPE_POINTER: a REF, with a CHANGE in it when the call changed what was there; an
 * ADDRESS if it is NULL, cannot be read, or is not to be followed (yet).
 */
struct value *pointer_value(struct walk *walk, const struct type *type, const struct place *place);
/** A REF to @target at @address; an ADDRESS if @target is NULL. */
struct value *pointer_ref(struct walk *walk, uint64_t address, struct value *target);
/** @after, or a CHANGE if @before is there and differs. */
struct value *pointer_change(struct walk *walk, struct value *before, struct value *after);

#endif
