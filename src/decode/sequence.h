// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_SEQUENCE_H
#define SRC_DECODE_SEQUENCE_H

/** Arrays, lists and bit sets. */

#include <stdint.h>

struct place;
struct type;
struct value;
struct walk;

/**
 * TYPE_ARRAY: its elements up to the limit or to the first that is unreadable; NULL if
 * that is the first.
 */
struct value *sequence_array(struct walk *walk, const struct type *type, const struct place *place);
/** TYPE_LIST: the same, up to an element of zero bytes. */
struct value *sequence_list(struct walk *walk, const struct type *type, const struct place *place);
/** TYPE_BITS: a BITSET of the names, or of the numbers, of the bits that are set. */
struct value *sequence_bits(struct walk *walk, const struct type *type, const struct place *place);
/** Elements shown of an array: all with -v, else as many as bytes of a string. */
uint64_t sequence_limit(const struct walk *walk);

#endif
