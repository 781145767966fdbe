// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/bits.h"

#include "unit.h"

CASE(one_bit_changes_no_other)
{
	for (size_t bit = 0; bit < 130; bit++) {
		uint64_t words[BITS_WORDS(130)] = {0};

		bits_set(words, bit);
		for (size_t other = 0; other < 130; other++)
			assert_int_equal(bits_test(words, other), other == bit);
		bits_clear(words, bit);
		for (size_t word = 0; word < BITS_WORDS(130); word++)
			assert_int_equal(words[word], 0);
	}
}

CASE(clear_leaves_the_others)
{
	uint64_t word = UINT64_MAX;

	bits_clear(&word, 63);
	assert_int_equal(word, UINT64_MAX >> 1);
	bits_clear(&word, 0);
	assert_int_equal(word, (UINT64_MAX >> 1) - 1);
}

CASE(words_for_a_count)
{
	assert_int_equal(BITS_WORDS(0), 0);
	assert_int_equal(BITS_WORDS(1), 1);
	assert_int_equal(BITS_WORDS(64), 1);
	assert_int_equal(BITS_WORDS(65), 2);
}

CASE(alignment)
{
	assert_int_equal(align_up(0, 8), 0);
	assert_int_equal(align_up(1, 8), 8);
	assert_int_equal(align_up(8, 8), 8);
	assert_int_equal(align_up(4097, 4096), 8192);
	assert_int_equal(align_up(5, 1), 5);
}

CASE(sign_extension)
{
	static const struct {
		uint64_t value;
		unsigned size;
		uint64_t expected;
	} cases[] = {
		{0x7f, 1, 0x7f},
		{0x80, 1, 0xffffffffffffff80},
		{0x1280, 1, 0xffffffffffffff80},
		{0x8000, 2, 0xffffffffffff8000},
		{0xffffffff, 4, UINT64_MAX},
		{0x7fffffff, 4, 0x7fffffff},
		{0xdead00000000, 4, 0},
		{0x800000000000, 6, 0xffff800000000000},
		{0x8000000000000000, 8, 0x8000000000000000},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(sign_extend(cases[i].value, cases[i].size), cases[i].expected);
}

CASE(zero_extension)
{
	assert_int_equal(zero_extend(UINT64_MAX, 1), 0xff);
	assert_int_equal(zero_extend(UINT64_MAX, 2), 0xffff);
	assert_int_equal(zero_extend(UINT64_MAX, 4), 0xffffffff);
	assert_int_equal(zero_extend(UINT64_MAX, 7), UINT64_MAX >> 8);
	assert_int_equal(zero_extend(UINT64_MAX, 8), UINT64_MAX);
	assert_int_equal(zero_extend(0x1234, 1), 0x34);
}

RUN_CASES(ADD(one_bit_changes_no_other), ADD(clear_leaves_the_others), ADD(words_for_a_count),
	ADD(alignment), ADD(sign_extension), ADD(zero_extension));
