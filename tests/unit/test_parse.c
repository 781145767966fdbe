// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/parse.h"

#include <string.h>

#include "unit.h"

enum { UNCHANGED = 4711 };

CASE(whole_numbers)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t expected;
	} cases[] = {
		{"0", true, 0},
		{"42", true, 42},
		{"007", true, 7},
		{"0x1f", true, 31},
		{"0XFF", true, 255},
		{"18446744073709551615", true, UINT64_MAX},
		{"0xffffffffffffffff", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
		{"0x10000000000000000", false, 0},
		{"", false, 0},
		{"0x", false, 0},
		{"-1", false, 0},
		{"+1", false, 0},
		{" 1", false, 0},
		{"1 ", false, 0},
		{"1f", false, 0},
		{"0x1g", false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = UNCHANGED;

		if (parse_u64(cases[i].text, &value) != cases[i].ok)
			fail_msg("parse_u64(\"%s\") is not %d", cases[i].text, cases[i].ok);
		assert_int_equal(value, cases[i].ok ? cases[i].expected : UNCHANGED);
	}
}

CASE(ints_up_to_int_max)
{
	int value = UNCHANGED;

	assert_false(parse_int("2147483648", &value));
	assert_false(parse_int("-1", &value));
	assert_false(parse_int("0x10", &value));
	assert_false(parse_int("", &value));
	assert_false(parse_int("12 ", &value));
	assert_int_equal(value, UNCHANGED);
	assert_true(parse_int("2147483647", &value));
	assert_int_equal(value, 2147483647);
	assert_true(parse_int("0", &value));
	assert_int_equal(value, 0);
}

CASE(cursor_moves_past_digits_only)
{
	const char *text = "7f00-8000 rw";
	const char *cursor = text;
	uint64_t value = 0;

	assert_true(parse_hex_at(&cursor, &value));
	assert_int_equal(value, 0x7f00);
	assert_ptr_equal(cursor, text + 4);
	assert_false(parse_hex_at(&cursor, &value));
	assert_ptr_equal(cursor, text + 4);
	cursor++;
	assert_true(parse_decimal_at(&cursor, &value));
	assert_int_equal(value, 8000);
	assert_string_equal(cursor, " rw");
}

CASE(overflow_at_the_cursor)
{
	const char *text = "10000000000000000";
	const char *cursor = text;
	uint64_t value = UNCHANGED;

	assert_false(parse_hex_at(&cursor, &value));
	assert_ptr_equal(cursor, text);
	assert_int_equal(value, UNCHANGED);
	assert_true(parse_decimal_at(&cursor, &value));
	assert_int_equal(value, UINT64_C(10000000000000000));
}

CASE(durations)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t expected;
	} cases[] = {
		{"1", true, 1000000000},
		{"1s", true, 1000000000},
		{"0.5", true, 500000000},
		{".25s", true, 250000000},
		{"20ms", true, 20000000},
		{"1.5us", true, 1500},
		{"7ns", true, 7},
		{"0", true, 0},
		{"", false, 0},
		{"-1s", false, 0},
		{"1m", false, 0},
		{"1 s", false, 0},
		{"s", false, 0},
		{"nan", false, 0},
		{"1e300", false, 0},
		{".", false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = UNCHANGED;

		if (parse_duration(cases[i].text, &value) != cases[i].ok)
			fail_msg("parse_duration(\"%s\") is not %d", cases[i].text, cases[i].ok);
		assert_int_equal(value, cases[i].ok ? cases[i].expected : UNCHANGED);
	}
}

CASE(sizes)
{
	static const struct {
		const char *text;
		uint64_t expected;
	} cases[] = {
		{"1", 1},
		{"4k", 4096},
		{"4K", 4096},
		{"2M", 2 << 20},
		{"1G", 1 << 30},
		{"1073741824", 1 << 30},
		// Nothing, beyond the bound of 1G, or no size.
		{"0", 0},
		{"0k", 0},
		{"1073741825", 0},
		{"2G", 0},
		{"17179869184G", 0},
		{"", 0},
		{"k", 0},
		{"1kB", 0},
		{"-1", 0},
		{"1T", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = UNCHANGED;

		if (parse_size(cases[i].text, UINT64_C(1) << 30, &value) != !!cases[i].expected)
			fail_msg(
				"parse_size(\"%s\") is not %d", cases[i].text, !!cases[i].expected);
		assert_int_equal(value, cases[i].expected ? cases[i].expected : UNCHANGED);
	}
}

CASE(lists_with_empty_items)
{
	const char *cursor = "a,,bc,";
	const char *item;
	size_t length;
	const char *const expected[] = {"a", "", "bc", ""};

	for (size_t i = 0; i < 4; i++) {
		assert_true(parse_list(&cursor, ',', &item, &length));
		assert_int_equal(length, strlen(expected[i]));
		assert_memory_equal(item, expected[i], length);
	}
	assert_null(cursor);
	assert_false(parse_list(&cursor, ',', &item, &length));
}

CASE(an_empty_list_is_one_empty_item)
{
	const char *cursor = "";
	const char *item;
	size_t length = 1;

	assert_true(parse_list(&cursor, ',', &item, &length));
	assert_int_equal(length, 0);
	assert_false(parse_list(&cursor, ',', &item, &length));
}

RUN_CASES(ADD(whole_numbers), ADD(ints_up_to_int_max), ADD(cursor_moves_past_digits_only),
	ADD(overflow_at_the_cursor), ADD(durations), ADD(sizes), ADD(lists_with_empty_items),
	ADD(an_empty_list_is_one_empty_item));
