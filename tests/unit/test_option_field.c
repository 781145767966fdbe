// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/option_field.h"

#include <stdio.h>

#include "base/error.h"
#include "unit.h"

enum colour { RED, GREEN, BLUE };

// What the fields point into: members of all sizes, each between two that must not change.
struct options {
	uint32_t before;
	bool flag;
	uint8_t between;
	enum colour colour;
	uint32_t word;
	const char *text;
	uint64_t time;
	size_t size;
	uint32_t after;
};

static const char *const colours[] = {"red", "green", "blue", NULL};
static const struct {
	struct option_field field;
} flag = {FLAG(flag)}, blue = {VALUE(colour, BLUE)}, text = {TEXT(text)},
  word = {NUMBER(word, 2, 100)}, size = {NUMBER(size, 1, UINT64_MAX)},
  milliseconds = {DURATION(time, 1000000, 1)}, colour = {CHOICE(colour, colours, GREEN)};

static void expect(struct option_field field, const char *argument, struct options expected)
{
	struct options options = {.before = 0xbbbbbbbb, .between = 0xcc, .after = 0xaaaaaaaa};

	expected.before = options.before;
	expected.between = options.between;
	expected.after = options.after;
	assert_null(option_field_set(&field, &options, "--name", argument));
	assert_int_equal(options.before, expected.before);
	assert_int_equal(options.flag, expected.flag);
	assert_int_equal(options.between, expected.between);
	assert_int_equal(options.colour, expected.colour);
	assert_int_equal(options.word, expected.word);
	assert_ptr_equal(options.text, expected.text);
	assert_int_equal(options.time, expected.time);
	assert_int_equal(options.size, expected.size);
	assert_int_equal(options.after, expected.after);
}

static void refuse(struct option_field field, const char *argument, const char *message)
{
	struct options options = {.word = 7, .time = 8, .size = 9, .colour = RED};
	struct error *error = option_field_set(&field, &options, "--name", argument);

	assert_non_null(error);
	assert_string_equal(error->message, message);
	error_destroy(error);
	assert_int_equal(options.word, 7);
	assert_int_equal(options.time, 8);
	assert_int_equal(options.size, 9);
	assert_int_equal(options.colour, RED);
}

CASE(values_are_stored_in_their_member_only)
{
	static const char argument[] = "file";

	expect(flag.field, NULL, (struct options){.flag = true});
	expect(blue.field, NULL, (struct options){.colour = BLUE});
	expect(text.field, argument, (struct options){.text = argument});
}

CASE(numbers_within_their_bounds)
{
	expect(word.field, "2", (struct options){.word = 2});
	expect(word.field, "100", (struct options){.word = 100});
	expect(size.field, "18446744073709551615", (struct options){.size = SIZE_MAX});
}

CASE(what_is_no_number_or_beyond_its_bounds)
{
	static const char message[] = "invalid --name argument: '%s' (a number from 2 to 100)";
	static const char *const bad[] = {
		"1", "101", "", "-3", "7x", "0x10", " 7", "99999999999999999999"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char expected[100];

		snprintf(expected, sizeof(expected), message, bad[i]);
		refuse(word.field, bad[i], expected);
	}
	refuse(size.field, "0", "invalid --name argument: '0' (a number, at least 1)");
}

CASE(durations_with_and_without_unit)
{
	expect(milliseconds.field, "2.5", (struct options){.time = 2500000});
	expect(milliseconds.field, "10us", (struct options){.time = 10000});
	expect(milliseconds.field, "1s", (struct options){.time = 1000000000});
	refuse(milliseconds.field, "0", "invalid --name argument: '0' (a time like 500ms or 2s)");
	refuse(milliseconds.field, "inf",
		"invalid --name argument: 'inf' (a time like 500ms or 2s)");
	refuse(milliseconds.field, "1e14",
		"invalid --name argument: '1e14' (a time like 500ms or 2s)");
}

CASE(choices_by_name)
{
	expect(colour.field, "blue", (struct options){.colour = BLUE});
	expect(colour.field, NULL, (struct options){.colour = GREEN});
	refuse(colour.field, "pink", "invalid --name argument: 'pink' (red, green or blue)");
	refuse(colour.field, "", "invalid --name argument: '' (red, green or blue)");
}

RUN_CASES(ADD(values_are_stored_in_their_member_only), ADD(numbers_within_their_bounds),
	ADD(what_is_no_number_or_beyond_its_bounds), ADD(durations_with_and_without_unit),
	ADD(choices_by_name));
