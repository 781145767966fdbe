// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include "base/arena.h"
#include "unwind/frame/frame_ring.h"

struct fixture {
	struct frame_ring ring;
	struct arena arena;
	struct unwind_stack stack;
	struct frame_regs *regs;
};

static void set_up(struct fixture *fixture, size_t limit)
{
	*fixture = (struct fixture){0};
	frame_ring_init(&fixture->ring, limit, /* with_regs= */ true);
}

static void add(struct fixture *fixture, taddr pc)
{
	struct unwind_frame frame = {.pc = pc, .address = FRAME_ADDRESS_RETURN};
	struct frame_regs regs = {.pc = pc};

	frame_ring_add(&fixture->ring, &frame, &regs);
	assert_int_equal(frame_ring_last(&fixture->ring)->pc, pc);
}

static void collect(struct fixture *fixture)
{
	fixture->regs = frame_ring_collect(&fixture->ring, &fixture->arena, &fixture->stack);
	for (size_t i = 0; i < fixture->stack.count; i++)
		assert_int_equal(fixture->regs[i].pc, fixture->stack.frames[i].pc);
}

static void expect(
	struct fixture *fixture, const taddr *pcs, size_t count, size_t at, size_t folded)
{
	collect(fixture);
	assert_int_equal(fixture->stack.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(fixture->stack.frames[i].pc, pcs[i]);
	assert_int_equal(fixture->stack.folded, folded);
	if (folded)
		assert_int_equal(fixture->stack.fold_at, at);
	frame_ring_deinit(&fixture->ring);
	arena_deinit(&fixture->arena);
}

#define EXPECT(fixture, at, folded, ...)                                                           \
	expect(fixture, (const taddr[]){__VA_ARGS__},                                              \
		sizeof((const taddr[]){__VA_ARGS__}) / sizeof(taddr), at, folded)

CASE(all_fit)
{
	struct fixture fixture;

	set_up(&fixture, 4);
	for (taddr pc = 1; pc <= 4; pc++)
		add(&fixture, pc);
	EXPECT(&fixture, 0, 0, 1, 2, 3, 4);
}

CASE(both_ends_of_a_varied_stack)
{
	struct fixture fixture;

	set_up(&fixture, 6);
	for (taddr pc = 1; pc <= 100; pc++)
		add(&fixture, pc);
	EXPECT(&fixture, 3, 94, 1, 2, 3, 98, 99, 100);
}

CASE(one_too_many)
{
	struct fixture fixture;

	set_up(&fixture, 3);
	for (taddr pc = 1; pc <= 4; pc++)
		add(&fixture, pc);
	EXPECT(&fixture, 1, 1, 1, 3, 4);
}

CASE(a_recursion_is_folded)
{
	struct fixture fixture;

	set_up(&fixture, 20);
	add(&fixture, 1);
	for (int i = 0; i < 1000; i++)
		add(&fixture, 7);
	add(&fixture, 2);
	collect(&fixture);
	assert_int_equal(fixture.stack.fold_count, 1);
	assert_int_equal(fixture.stack.folds[0].count, 1000 - FRAME_RING_REPEATS - 1);
	EXPECT(&fixture, 4, 1000 - FRAME_RING_REPEATS - 1, 1, 7, 7, 7, 7, 2);
}

CASE(two_functions_that_call_each_other)
{
	struct fixture fixture;

	set_up(&fixture, 20);
	add(&fixture, 1);
	for (int i = 0; i < 1000; i++)
		add(&fixture, i % 2 ? 7 : 8);
	add(&fixture, 2);
	collect(&fixture);
	assert_int_equal(fixture.stack.fold_count, 2);
	assert_int_equal(
		fixture.stack.folds[0].count + fixture.stack.folds[1].count, fixture.stack.folded);
	EXPECT(&fixture, 7, 1000 - 7, 1, 8, 7, 8, 7, 8, 7, 7, 2);
}

CASE(nothing_but_repetitions)
{
	struct fixture fixture;

	set_up(&fixture, 20);
	for (int i = 0; i < 1000; i++)
		add(&fixture, 7);
	EXPECT(&fixture, 3, 996, 7, 7, 7, 7);
}

CASE(small_limits)
{
	struct fixture fixture;

	set_up(&fixture, 0);
	for (taddr pc = 1; pc <= 5; pc++)
		add(&fixture, pc);
	EXPECT(&fixture, 1, 3, 1, 5);
	set_up(&fixture, 2);
	for (int i = 0; i < 5; i++)
		add(&fixture, 7);
	EXPECT(&fixture, 1, 3, 7, 7);
}

RUN_CASES(ADD(all_fit), ADD(both_ends_of_a_varied_stack), ADD(one_too_many),
	ADD(a_recursion_is_folded), ADD(two_functions_that_call_each_other),
	ADD(nothing_but_repetitions), ADD(small_limits));
