// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include "memory_source.h"
#include "unwind/frame/stack_memory.h"

enum {
	START = 0x10000,
	SIZE = 1024 * 1024,
};

/** Memory in which every word holds its own address. */
static uint64_t *make_words(void)
{
	uint64_t *words = xcalloc(SIZE / 8, 8);

	for (size_t i = 0; i < SIZE / 8; i++)
		words[i] = START + 8 * i;
	return words;
}

CASE(one_read_for_a_usual_walk)
{
	uint64_t *words = make_words(), value;
	struct memory_source memory = {.start = START, .size = SIZE, .data = words};
	const struct unwind_source source = {&memory_source_ops, &memory};
	struct stack_memory stack = {0};

	stack_memory_begin(&stack, &source, START + 0x1003, STACK_MEMORY_DEFAULT);
	for (taddr at = START + 0x1000; at < START + 0x1000 + STACK_MEMORY_DEFAULT; at += 8) {
		assert_true(stack_memory_read(&stack, at, 8, &value));
		assert_int_equal(value, at);
	}
	assert_int_equal(memory.reads, 1);
	assert_int_equal(stack.used, STACK_MEMORY_DEFAULT);
	stack_memory_deinit(&stack);
	free(words);
}

CASE(few_reads_for_a_long_walk)
{
	uint64_t *words = make_words(), value;
	struct memory_source memory = {.start = START, .size = SIZE, .data = words};
	const struct unwind_source source = {&memory_source_ops, &memory};
	struct stack_memory stack = {0};

	stack_memory_begin(&stack, &source, START, STACK_MEMORY_DEFAULT);
	for (taddr at = START; at < START + SIZE; at += 64) {
		assert_true(stack_memory_read(&stack, at, 8, &value));
		assert_int_equal(value, at);
	}
	// 8, 16, 32, 64, 128, then 256 KiB each.
	assert_in_range(memory.reads, 1, 9);
	stack_memory_deinit(&stack);
	free(words);
}

CASE(smaller_values)
{
	const uint64_t words[] = {UINT64_C(0x8877665544332211), 0};
	struct memory_source memory = {.start = START, .size = sizeof(words), .data = words};
	const struct unwind_source source = {&memory_source_ops, &memory};
	struct stack_memory stack = {0};
	uint64_t value;

	stack_memory_begin(&stack, &source, START, 64);
	assert_true(stack_memory_read(&stack, START, 4, &value));
	assert_int_equal(value, 0x44332211);
	assert_true(stack_memory_read(&stack, START + 7, 1, &value));
	assert_int_equal(value, 0x88);
	stack_memory_deinit(&stack);
}

CASE(what_cannot_be_read)
{
	const uint64_t words[] = {1, 2};
	struct memory_source memory = {.start = START, .size = sizeof(words), .data = words};
	const struct unwind_source source = {&memory_source_ops, &memory};
	struct stack_memory stack = {0};
	uint64_t value = 77;

	stack_memory_begin(&stack, &source, START, 64);
	assert_false(stack_memory_read(&stack, START + 16, 8, &value));
	assert_false(stack_memory_read(&stack, START + 12, 8, &value));
	assert_false(stack_memory_read(&stack, 0, 8, &value));
	assert_false(stack_memory_read(&stack, UINT64_MAX - 3, 8, &value));
	assert_int_equal(value, 77);
	stack_memory_deinit(&stack);
}

CASE(reads_are_bounded)
{
	struct memory_source memory = {.start = START, .size = 0, .data = ""};
	const struct unwind_source source = {&memory_source_ops, &memory};
	struct stack_memory stack = {0};
	uint64_t value;

	stack_memory_begin(&stack, &source, START, 64);
	for (taddr at = 0; at < 3 * STACK_MEMORY_READS; at++)
		assert_false(stack_memory_read(&stack, at << 20, 8, &value));
	assert_int_equal(memory.reads, STACK_MEMORY_READS);
	stack_memory_deinit(&stack);
}

RUN_CASES(ADD(one_read_for_a_usual_walk), ADD(few_reads_for_a_long_walk), ADD(smaller_values),
	ADD(what_cannot_be_read), ADD(reads_are_bounded));
