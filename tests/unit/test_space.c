// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Walks over made-up memory: ends of stacks, and when maps are read.

#include "unit.h"

#include "base/arena.h"
#include "base/array.h"
#include "memory_source.h"
#include "unwind/unwind.h"

enum {
	CODE = 0x401000,
	RBP = 6,
	RSP = 7,
};

/** Code without rules at CODE (a call ends at CODE + 8) and a stack behind it in one piece. */
struct fixture {
	struct unwind_context *context;
	struct unwind_space *space;
	struct memory_source memory;
	struct unwind_source source;
	struct frame_regs regs;
	struct arena arena;
	struct unwind_stack stack;
};

static const char maps_text[] = "401000-402000 r-xp 00000000 00:00 0 \n"
				"402000-403000 rw-p 00000000 00:00 0 [stack]\n";

static uint64_t memory_words[1024];

static uint64_t *stack_words(void)
{
	return &memory_words[0x1000 / 8];
}

static void set_up(struct fixture *fixture, uint64_t pc, uint64_t rbp)
{
	// call *%rax in front of every eighth byte of the code.
	for (size_t i = 0; i < 0x1000 / 8; i++)
		memory_words[i] = UINT64_C(0xd0ff909090909090);
	*fixture = (struct fixture){.context = unwind_context_create(NULL)};
	fixture->space = unwind_space_create(fixture->context, UNWIND_ARCH_X86_64);
	fixture->memory = (struct memory_source){
		.start = CODE, .size = 0x2000, .data = memory_words, .maps = maps_text};
	fixture->source = (struct unwind_source){&memory_source_ops, &fixture->memory};
	fixture->regs.pc = pc;
	frame_regs_set(&fixture->regs, RSP, CODE + 0x1000);
	frame_regs_set(&fixture->regs, RBP, rbp);
}

static void walk(struct fixture *fixture)
{
	unwind_walk(fixture->space, &fixture->source, &fixture->regs, FRAME_ADDRESS_EXACT,
		&fixture->arena, &fixture->stack);
}

static void tear_down(struct fixture *fixture)
{
	unwind_space_destroy(fixture->space);
	unwind_context_destroy(fixture->context);
	arena_deinit(&fixture->arena);
}

CASE(frame_pointers_until_nothing_plausible)
{
	struct fixture fixture;
	uint64_t *words = stack_words();

	set_up(&fixture, CODE + 0x100, CODE + 0x1010);
	words[0] = 0;
	words[2] = CODE + 0x1020;
	words[3] = CODE + 0x208;
	words[4] = 0;
	words[5] = CODE + 0x308;
	walk(&fixture);
	assert_int_equal(fixture.stack.count, 3);
	assert_int_equal(fixture.stack.frames[1].pc, CODE + 0x208);
	assert_int_equal(fixture.stack.frames[1].origin, FRAME_ORIGIN_FRAME_POINTER);
	assert_int_equal(fixture.stack.frames[2].pc, CODE + 0x308);
	assert_int_equal(fixture.stack.end, FRAME_END_NO_RULE);
	assert_int_equal(fixture.stack.end_address, CODE + 0x308);
	assert_null(fixture.stack.frames[0].module);
	assert_string_equal(fixture.stack.frames[0].map_name, "");
	assert_int_equal(unwind_describe(fixture.context, &fixture.stack.frames[0])->no_function,
		UNWIND_REASON_NO_MODULE);
	tear_down(&fixture);
}

CASE(a_frame_pointer_that_leads_back_ends_the_walk)
{
	struct fixture fixture;
	uint64_t *words = stack_words();

	set_up(&fixture, CODE + 0x100, CODE + 0x1010);
	words[0] = 0;
	words[2] = CODE + 0x1010;
	words[3] = CODE + 0x208;
	walk(&fixture);
	// The second frame's frame pointer is below its stack pointer.
	assert_int_equal(fixture.stack.count, 2);
	assert_int_equal(fixture.stack.end, FRAME_END_NO_RULE);
	tear_down(&fixture);
}

CASE(a_call_into_nowhere)
{
	struct fixture fixture;

	set_up(&fixture, 0, 0);
	stack_words()[0] = CODE + 0x208;
	walk(&fixture);
	assert_int_equal(fixture.stack.count, 2);
	assert_null(fixture.stack.frames[0].map_name);
	assert_int_equal(fixture.stack.frames[1].pc, CODE + 0x208);
	assert_int_equal(fixture.stack.frames[1].origin, FRAME_ORIGIN_GUESS);
	tear_down(&fixture);
}

CASE(nowhere_without_a_call)
{
	struct fixture fixture;

	set_up(&fixture, 0x1234, 0);
	stack_words()[0] = CODE + 0x209;
	walk(&fixture);
	assert_int_equal(fixture.stack.count, 1);
	assert_int_equal(fixture.stack.end, FRAME_END_BAD_ADDRESS);
	assert_int_equal(fixture.stack.end_address, 0x1234);
	tear_down(&fixture);
}

CASE(no_maps)
{
	struct fixture fixture;

	set_up(&fixture, CODE + 0x100, 0);
	fixture.memory.maps = NULL;
	walk(&fixture);
	assert_int_equal(fixture.stack.count, 1);
	assert_int_equal(fixture.stack.frames[0].pc, CODE + 0x100);
	assert_int_equal(fixture.stack.end, FRAME_END_NO_STATE);
	// They are asked for again, not given up.
	fixture.memory.maps = maps_text;
	walk(&fixture);
	assert_int_equal(fixture.stack.end, FRAME_END_NO_RULE);
	tear_down(&fixture);
}

CASE(when_maps_are_read)
{
	struct fixture fixture;

	set_up(&fixture, CODE + 0x100, 0);
	stack_words()[0] = 0;
	walk(&fixture);
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 1);
	unwind_space_maps_changed(fixture.space);
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 2);
	// An address in no known range, once; then it is known to be in none.
	fixture.regs.pc = 0x1234;
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 3);
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 3);
	unwind_space_maps_changed(fixture.space);
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 4);
	tear_down(&fixture);
}

// Code is at 401000 to 402000, data behind it.
CASE(only_changes_of_code_count)
{
	struct fixture fixture;
	const struct {
		taddr start;
		uint64_t length;
		bool counts;
	} changes[] = {
		{0x400000, 0x1000, false},
		{0x402000, 0x1000, false},
		{0x401000, 0, false},
		{0x400000, 0x1001, true},
		{0x401fff, 1, true},
		{0x401800, 0x10, true},
		{0, UINT64_MAX, true},
		{0x401000, UINT64_MAX, true},
		{0x402000, UINT64_MAX, false},
	};
	unsigned reads = 1;

	set_up(&fixture, CODE + 0x100, 0);
	walk(&fixture);
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		unwind_space_range_changed(fixture.space, changes[i].start, changes[i].length);
		walk(&fixture);
		reads += changes[i].counts;
		assert_int_equal(fixture.memory.maps_reads, reads);
	}
	tear_down(&fixture);
}

CASE(new_code_counts_where_a_walk_knows_none)
{
	struct fixture fixture;

	set_up(&fixture, CODE + 0x100, 0);
	stack_words()[0] = 0;
	walk(&fixture);
	fixture.regs.pc = 0x1234;
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 2);
	// It was found to be in none, which may be different now.
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 2);
	unwind_space_code_added(fixture.space);
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 3);
	// Without maps there is no use in asking for each address.
	unwind_space_code_added(fixture.space);
	fixture.memory.maps = NULL;
	walk(&fixture);
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 4);
	tear_down(&fixture);
}

CASE(an_unwatched_space_is_checked_once_in_each_walk)
{
	struct fixture fixture;
	uint64_t *words = stack_words();

	set_up(&fixture, CODE + 0x100, CODE + 0x1010);
	words[2] = 0;
	words[3] = CODE + 0x208;
	walk(&fixture);
	assert_int_equal(fixture.memory.map_checks, 0);
	unwind_space_set_unwatched(fixture.space, true);
	fixture.memory.is_mapped = true;
	walk(&fixture);
	assert_int_equal(fixture.memory.map_checks, 1);
	assert_int_equal(fixture.memory.maps_reads, 1);
	// The maps are read once in such a walk, and then believed.
	fixture.memory.is_mapped = false;
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 2);
	assert_int_equal(fixture.stack.count, 2);
	assert_string_equal(fixture.stack.frames[1].map_name, "");
	unwind_space_set_unwatched(fixture.space, false);
	fixture.memory.map_checks = 0;
	walk(&fixture);
	assert_int_equal(fixture.memory.map_checks, 0);
	assert_int_equal(fixture.memory.maps_reads, 2);
	tear_down(&fixture);
}

CASE(a_fork_has_the_same_maps)
{
	struct unwind_space *fork;
	struct fixture fixture;

	set_up(&fixture, CODE + 0x100, 0);
	walk(&fixture);
	fork = unwind_space_fork(fixture.space);
	unwind_space_destroy(fixture.space);
	fixture.space = fork;
	walk(&fixture);
	assert_int_equal(fixture.memory.maps_reads, 1);
	assert_string_equal(fixture.stack.frames[0].map_name, "");
	tear_down(&fixture);
}

RUN_CASES(ADD(frame_pointers_until_nothing_plausible),
	ADD(a_frame_pointer_that_leads_back_ends_the_walk), ADD(a_call_into_nowhere),
	ADD(nowhere_without_a_call), ADD(no_maps), ADD(when_maps_are_read),
	ADD(only_changes_of_code_count), ADD(new_code_counts_where_a_walk_knows_none),
	ADD(an_unwatched_space_is_checked_once_in_each_walk), ADD(a_fork_has_the_same_maps));
