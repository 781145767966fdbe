// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_RETVAL_H
#define SRC_DECODE_RETVAL_H

/** What a call returned. */

#include <stdbool.h>
#include <stdint.h>

struct walk;

/** Sets how the walk's call ended, and the walk's ret and failed. */
void retval_decode(struct walk *walk, int64_t retval, bool is_error);
/** Sets ret and note of the call, once its arguments are decoded. */
void retval_value(struct walk *walk);

#endif
