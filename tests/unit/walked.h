// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_WALKED_H
#define TESTS_UNIT_WALKED_H

/** A walk over a recorded task, for tests of the decoder with types of their own. */

#include "decode/call.h"
#include "decode/decoder.h"
#include "decode/walk.h"
#include "proc/view_recorded.h"

/** Everything a walk points to. Zero-initialise, then walked_start(). */
struct walked {
	struct decode_options options;
	struct view_recorded task;
	struct call call;
	struct walk walk;
};

/** A walk at entry of @abi over an empty task, with strings up to 32 bytes. */
void walked_start(struct walked *walked, enum abi_id abi);
/** The same walk at exit, with result @ret. */
void walked_return(struct walked *walked, int64_t ret);
void walked_end(struct walked *walked);
/** The value of @type at @address. */
struct value *walked_at(struct walked *walked, const struct type *type, taddr address);

#endif
