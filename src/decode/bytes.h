// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_BYTES_H
#define SRC_DECODE_BYTES_H

/** Strings, paths and buffers. */

#include <stdint.h>

#include "base/taddr.h"

struct place;
struct type;
struct value;
struct walk;

/** TYPE_STRING; NULL if unreadable before its NUL. */
struct value *bytes_string(struct walk *walk, const struct type *type, const struct place *place);
/** TYPE_BYTES; NULL if one of the bytes that are shown is unreadable. */
struct value *bytes_counted(struct walk *walk, const struct type *type, const struct place *place);
/** @length bytes at @address as far as the limit of strings; an ADDRESS if unreadable. */
struct value *bytes_buffer(struct walk *walk, taddr address, uint64_t length);
/** Keeps @length bytes at @address in the call's data, if walk->data; a buffer of no list. */
void bytes_keep(struct walk *walk, taddr address, uint64_t length);
/** The same for buffer @buffer of the @count of the list that is being decoded. */
void bytes_keep_listed(
	struct walk *walk, taddr address, uint64_t length, unsigned buffer, unsigned count);

#endif
