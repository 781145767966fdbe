// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_ARGS_H
#define UNWIND_DESCRIBE_ARGS_H

/**
 * The parameters of all frames of a stack, read from the stopped task: one list for
 * each location that unwind_describe() gives for a frame, in the same order.
 */

#include "unwind/arg.h"
#include "unwind/frame.h"
#include "unwind/frame_regs.h"
#include "unwind/source.h"

struct arena;
struct unwind_space;

/** @regs are those of each frame of @stack, whose args are filled in, in @arena. */
void args_read(struct unwind_space *space, const struct unwind_source *source,
	struct unwind_stack *stack, const struct frame_regs *regs, unsigned *budget,
	struct arena *arena);

#endif
