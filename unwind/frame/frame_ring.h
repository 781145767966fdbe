// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_FRAME_RING_H
#define UNWIND_FRAME_FRAME_RING_H

/**
 * The frames of one walk, as many as wanted: of a stack with more, the innermost and
 * the outermost ones. What is left out in between is counted by place, so that a
 * runaway recursion can be named, and the repetitions beside it are left out as well.
 */

#include <stdbool.h>
#include <stddef.h>

#include "unwind/frame.h"
#include "unwind/frame_regs.h"

struct arena;

enum {
	/** Places that are told apart among the frames left out. */
	FRAME_RING_PLACES = 8,
	/** Repetitions left on the inner side of what is left out. */
	FRAME_RING_REPEATS = 3,
};

struct frame_ring {
	/** The first @inner stay, the rest is a ring. */
	struct unwind_frame *frames;
	/** The registers of each frame; NULL if not wanted. */
	struct frame_regs *regs;
	size_t limit, inner, total;
	struct unwind_fold places[FRAME_RING_PLACES];
	size_t place_count;
	/** More places than that. */
	bool is_varied;
};

/** Keeps @limit (at least 2) frames, with their registers if @with_regs. */
void frame_ring_init(struct frame_ring *ring, size_t limit, bool with_regs);
void frame_ring_deinit(struct frame_ring *ring);
/** Forgets all frames. */
void frame_ring_begin(struct frame_ring *ring);
/** The next frame outwards. */
void frame_ring_add(
	struct frame_ring *ring, const struct unwind_frame *frame, const struct frame_regs *regs);
/** The frame added last; there must be one. */
struct unwind_frame *frame_ring_last(struct frame_ring *ring);
/**
 * What is kept, in @arena: fills in the frames and the folding of @stack_ret. The result
 * is the registers of these frames or NULL.
 */
struct frame_regs *frame_ring_collect(
	const struct frame_ring *ring, struct arena *arena, struct unwind_stack *stack_ret);

#endif
