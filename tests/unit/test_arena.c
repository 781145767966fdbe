// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/arena.h"

#include <string.h>

#include "unit.h"

CASE(pieces_are_aligned_and_apart)
{
	struct arena arena = {0};
	unsigned char *pieces[300];

	for (size_t i = 0; i < 300; i++) {
		pieces[i] = arena_alloc(&arena, i);
		assert_int_equal((uintptr_t)pieces[i] % 16, 0);
		memset(pieces[i], (int)i, i);
	}
	for (size_t i = 0; i < 300; i++) {
		for (size_t j = 0; j < i; j++)
			assert_int_equal(pieces[i][j], (unsigned char)i);
	}
	arena_deinit(&arena);
}

CASE(a_piece_larger_than_a_block)
{
	struct arena arena = {0};
	char *small = arena_strndup(&arena, "before", 6);
	char *large = arena_zalloc(&arena, 1000000);
	char *after = arena_strndup(&arena, "after", 5);

	for (size_t i = 0; i < 1000000; i++)
		assert_int_equal(large[i], 0);
	assert_string_equal(small, "before");
	assert_string_equal(after, "after");
	arena_deinit(&arena);
}

CASE(reset_reuses_memory)
{
	struct arena arena = {0};
	void *first = arena_alloc(&arena, 100);

	arena_alloc(&arena, 20000);
	arena_reset(&arena);
	assert_ptr_equal(arena_alloc(&arena, 100), first);
	arena_deinit(&arena);
}

CASE(reset_gives_large_memory_back)
{
	struct arena arena = {0};
	size_t kept = 0;

	for (size_t i = 0; i < 100; i++)
		arena_alloc(&arena, 8000);
	arena_reset(&arena);
	// The link to the next block is the first member: the only way to count them.
	for (struct arena_block *block = arena.first; block; block = *(struct arena_block **)block)
		kept++;
	assert_in_range(kept, 1, 8);
	arena_deinit(&arena);
}

CASE(zeroed_after_reset)
{
	struct arena arena = {0};
	unsigned char *piece;

	memset(arena_alloc(&arena, 4000), 0xff, 4000);
	arena_reset(&arena);
	piece = arena_zalloc(&arena, 4000);
	for (size_t i = 0; i < 4000; i++)
		assert_int_equal(piece[i], 0);
	arena_deinit(&arena);
}

CASE(an_oversized_block_is_skipped_not_lost)
{
	struct arena arena = {0};

	// After the reset the small first block is current; a piece that only fits the second
	// one moves there, and everything still works.
	arena_alloc(&arena, 8000);
	arena_alloc(&arena, 30000);
	arena_reset(&arena);
	memset(arena_alloc(&arena, 30000), 1, 30000);
	memset(arena_alloc(&arena, 8000), 2, 8000);
	memset(arena_alloc(&arena, 30000), 3, 30000);
	arena_deinit(&arena);
}

CASE(copies)
{
	struct arena arena = {0};
	const char bytes[] = {1, 0, 2};

	assert_memory_equal(arena_copy(&arena, bytes, 3), bytes, 3);
	assert_non_null(arena_copy(&arena, NULL, 0));
	assert_string_equal(arena_strndup(&arena, "openat", 4), "open");
	assert_string_equal(arena_strndup(&arena, NULL, 0), "");
	assert_string_equal(arena_printf(&arena, "%d %s", 7, "x"), "7 x");
	assert_int_equal(strlen(arena_printf(&arena, "%9999d", 1)), 9999);
	arena_deinit(&arena);
}

CASE(usable_after_deinit)
{
	struct arena arena = {0};

	arena_alloc(&arena, 1);
	arena_deinit(&arena);
	assert_string_equal(arena_printf(&arena, "again"), "again");
	arena_deinit(&arena);
	arena_deinit(&arena);
	arena_reset(&arena);
}

RUN_CASES(ADD(pieces_are_aligned_and_apart), ADD(a_piece_larger_than_a_block),
	ADD(reset_reuses_memory), ADD(reset_gives_large_memory_back), ADD(zeroed_after_reset),
	ADD(an_oversized_block_is_skipped_not_lost), ADD(copies), ADD(usable_after_deinit));
