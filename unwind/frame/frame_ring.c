// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/frame_ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

void frame_ring_init(struct frame_ring *ring, size_t limit, bool with_regs)
{
	limit = limit < 2 ? 2 : limit;
	*ring = (struct frame_ring){
		.frames = xcalloc(limit, sizeof(*ring->frames)),
		.regs = with_regs ? xcalloc(limit, sizeof(*ring->regs)) : NULL,
		.limit = limit,
		.inner = limit / 2,
	};
}

void frame_ring_deinit(struct frame_ring *ring)
{
	free(ring->frames);
	free(ring->regs);
	*ring = (struct frame_ring){0};
}

void frame_ring_begin(struct frame_ring *ring)
{
	ring->total = 0;
	ring->place_count = 0;
	ring->is_varied = false;
}

static bool is_same_place(const struct unwind_frame *a, const struct unwind_frame *b)
{
	return a->pc == b->pc && a->module == b->module && a->address == b->address &&
	       a->is_signal_frame == b->is_signal_frame;
}

static size_t find_place(
	const struct unwind_fold *places, size_t count, const struct unwind_frame *frame)
{
	size_t i = 0;

	while (i < count && !is_same_place(&places[i].frame, frame))
		i++;
	return i;
}

static void leave_out(struct frame_ring *ring, const struct unwind_frame *frame)
{
	size_t i = find_place(ring->places, ring->place_count, frame);

	if (i == ring->place_count) {
		if (i == FRAME_RING_PLACES) {
			ring->is_varied = true;
			return;
		}
		ring->places[ring->place_count++] = (struct unwind_fold){*frame, 0};
	}
	ring->places[i].count++;
}

static size_t place_of(const struct frame_ring *ring, size_t index)
{
	if (index < ring->inner)
		return index;
	return ring->inner + (index - ring->inner) % (ring->limit - ring->inner);
}

struct unwind_frame *frame_ring_last(struct frame_ring *ring)
{
	return &ring->frames[place_of(ring, ring->total - 1)];
}

void frame_ring_add(
	struct frame_ring *ring, const struct unwind_frame *frame, const struct frame_regs *regs)
{
	size_t index = place_of(ring, ring->total++);

	if (ring->total > ring->limit)
		leave_out(ring, &ring->frames[index]);
	ring->frames[index] = *frame;
	if (ring->regs)
		ring->regs[index] = *regs;
}

/** Copies the kept ones of @size bytes each in their order. */
static void *in_order(
	const struct frame_ring *ring, const void *data, size_t size, struct arena *arena)
{
	size_t count = ring->total < ring->limit ? ring->total : ring->limit;
	size_t outer = ring->limit - ring->inner, first;
	const char *from = data;
	char *to;

	if (ring->total <= ring->limit)
		return arena_copy(arena, data, count * size);
	first = (ring->total - ring->inner) % outer;
	to = arena_alloc(arena, count * size);
	memcpy(to, from, ring->inner * size);
	memcpy(to + ring->inner * size, from + (ring->inner + first) * size,
		(outer - first) * size);
	memcpy(to + (ring->limit - first) * size, from + ring->inner * size, first * size);
	return to;
}

/** Leaves out the frames from @start to before @end as well. */
static void fold_more(struct unwind_stack *stack, struct frame_regs *regs, size_t start, size_t end)
{
	size_t behind = stack->count - end;

	for (size_t i = start; i < end; i++)
		stack->folds[find_place(stack->folds, stack->fold_count, &stack->frames[i])]
			.count++;
	stack->folded += end - start;
	stack->fold_at = start;
	stack->count -= end - start;
	memmove(stack->frames + start, stack->frames + end, behind * sizeof(*stack->frames));
	if (regs)
		memmove(regs + start, regs + end, behind * sizeof(*regs));
}

static bool is_repeated(const struct unwind_stack *stack, size_t index)
{
	return find_place(stack->folds, stack->fold_count, &stack->frames[index]) <
	       stack->fold_count;
}

static void fold_repetitions(struct unwind_stack *stack, struct frame_regs *regs)
{
	size_t start = stack->fold_at, end = stack->fold_at;

	while (start > 0 && is_repeated(stack, start - 1))
		start--;
	while (end < stack->count && is_repeated(stack, end))
		end++;
	start += FRAME_RING_REPEATS * stack->fold_count;
	// The outermost one says who began.
	if (end > stack->fold_at)
		end--;
	if (start > stack->fold_at)
		start = stack->fold_at;
	fold_more(stack, regs, start, end);
}

struct frame_regs *frame_ring_collect(
	const struct frame_ring *ring, struct arena *arena, struct unwind_stack *stack_ret)
{
	struct frame_regs *regs =
		ring->regs ? in_order(ring, ring->regs, sizeof(*regs), arena) : NULL;

	stack_ret->frames = in_order(ring, ring->frames, sizeof(*stack_ret->frames), arena);
	stack_ret->count = ring->total;
	if (ring->total <= ring->limit)
		return regs;
	stack_ret->count = ring->limit;
	stack_ret->folded = ring->total - ring->limit;
	stack_ret->fold_at = ring->inner;
	if (ring->is_varied)
		return regs;
	stack_ret->fold_count = ring->place_count;
	stack_ret->folds =
		arena_copy(arena, ring->places, ring->place_count * sizeof(*stack_ret->folds));
	fold_repetitions(stack_ret, regs);
	return regs;
}
