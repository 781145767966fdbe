// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include "unwind/dwarf/interval_map.h"

CASE(empty)
{
	struct interval_map map = {0};

	interval_map_add(&map, 5, 5, 1);
	interval_map_add(&map, 6, 5, 1);
	interval_map_seal(&map);
	assert_int_equal(interval_map_find(&map, 5), INTERVAL_NONE);
	interval_map_deinit(&map);
}

CASE(nested)
{
	static const uint32_t expected[] = {
		INTERVAL_NONE, 1, 1, 2, 3, 2, 1, 1, 4, 1, INTERVAL_NONE, INTERVAL_NONE};
	struct interval_map map = {0};

	interval_map_add(&map, 3, 6, 2);
	interval_map_add(&map, 1, 10, 1);
	interval_map_add(&map, 8, 9, 4);
	interval_map_add(&map, 4, 5, 3);
	interval_map_seal(&map);
	for (uint64_t at = 0; at < 12; at++)
		assert_int_equal(interval_map_find(&map, at), expected[at]);
	interval_map_deinit(&map);
}

CASE(equal_ones_and_common_ends)
{
	struct interval_map map = {0};

	interval_map_add(&map, 1, 10, 1);
	interval_map_add(&map, 1, 10, 2);
	interval_map_add(&map, 5, 10, 3);
	interval_map_add(&map, 10, 12, 4);
	interval_map_seal(&map);
	assert_int_equal(interval_map_find(&map, 1), 2);
	assert_int_equal(interval_map_find(&map, 9), 3);
	assert_int_equal(interval_map_find(&map, 10), 4);
	assert_int_equal(interval_map_find(&map, 12), INTERVAL_NONE);
	interval_map_deinit(&map);
}

CASE(overlaps_against_a_plain_search)
{
	// Intervals that do not nest: what starts last counts, as long as it lasts.
	static const struct {
		uint64_t low, high;
	} intervals[] = {
		{0, 10}, {5, 15}, {7, 8}, {12, 20}, {14, 16}, {18, 30}, {19, 22}, {40, 41}};
	struct interval_map map = {0};

	for (uint32_t i = 0; i < 8; i++)
		interval_map_add(&map, intervals[i].low, intervals[i].high, i);
	interval_map_seal(&map);
	for (uint64_t at = 0; at < 50; at++) {
		uint32_t found = interval_map_find(&map, at), expected = INTERVAL_NONE;

		for (uint32_t i = 0; i < 8; i++) {
			if (at >= intervals[i].low && at < intervals[i].high)
				expected = i;
		}
		// After an inner one that outlasts it, an outer one may be forgotten.
		if (found != expected)
			assert_int_equal(found, INTERVAL_NONE);
	}
	interval_map_deinit(&map);
}

CASE(many_nested_ones_in_any_order)
{
	enum { SIZE = 1000, COUNT = 600 };
	static uint32_t expected[SIZE + 1];
	struct interval_map map = {0};

	// Each number is added as an interval that is inside those with smaller numbers or beside
	// them: level 0 is 10 long, level 1 is 5, level 2 is 1.
	for (uint32_t i = 0; i <= SIZE; i++)
		expected[i] = INTERVAL_NONE;
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t number = i * 7 % COUNT;
		uint32_t level = number / (COUNT / 3), length = level == 0   ? 10
								: level == 1 ? 5
									     : 1;
		uint32_t start = number % (COUNT / 3) * 5 / length * length;

		interval_map_add(&map, start, start + length, level);
		for (uint32_t at = start; at < start + length && at < SIZE; at++) {
			if (expected[at] == INTERVAL_NONE || expected[at] < level)
				expected[at] = level;
		}
	}
	interval_map_seal(&map);
	for (uint32_t at = 0; at < SIZE; at++)
		assert_int_equal(interval_map_find(&map, at), expected[at]);
	interval_map_deinit(&map);
}

CASE(ends_of_the_address_space)
{
	struct interval_map map = {0};

	interval_map_add(&map, 0, 1, 1);
	interval_map_add(&map, UINT64_MAX - 1, UINT64_MAX, 2);
	interval_map_seal(&map);
	assert_int_equal(interval_map_find(&map, 0), 1);
	assert_int_equal(interval_map_find(&map, 1), INTERVAL_NONE);
	assert_int_equal(interval_map_find(&map, UINT64_MAX - 1), 2);
	assert_int_equal(interval_map_find(&map, UINT64_MAX), INTERVAL_NONE);
	interval_map_deinit(&map);
}

RUN_CASES(ADD(empty), ADD(nested), ADD(equal_ones_and_common_ends),
	ADD(overlaps_against_a_plain_search), ADD(many_nested_ones_in_any_order),
	ADD(ends_of_the_address_space));
