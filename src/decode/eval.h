// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_EVAL_H
#define SRC_DECODE_EVAL_H

/** Computes the expressions of schema/relation.h over the call that is walked. */

#include <stdint.h>

struct expr;
struct walk;

/**
 * The value of @expr. What cannot be had is 0: unreadable memory, missing members.
 * The result at entry is 0 too, and marks the walk as pending.
 */
uint64_t eval(struct walk *walk, const struct expr *expr);

#endif
