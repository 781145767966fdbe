// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/item_list.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/number_set.h"
#include "unit.h"

// The items with a space behind each.
static const char *items_of(const char *text, char *space, size_t size)
{
	struct item_list list;
	const char *item;
	size_t length;

	space[0] = '\0';
	if (!item_list_begin(&list, text))
		return "nothing";
	if (list.inverted)
		strcpy(space, "all but ");
	while (item_list_next(&list, &item, &length))
		snprintf(space + strlen(space), size - strlen(space), "%.*s ", (int)length, item);
	return space;
}

CASE(items_between_commas)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"a", "a "},
		{"a,b", "a b "},
		{",a,,b,", "a b "},
		{"!a,b", "all but a b "},
		{"!!a", "a "},
		{"!!!a", "all but a "},
		{"a,!b", "a !b "},
		{"", "nothing"},
		{",,", "nothing"},
		{"!", "nothing"},
		{"!,", "nothing"},
		// Commas within braces belong to a regular expression, no other ones.
		{"/a{2,3},b", "/a{2,3} b "},
		{"?/a{2,3}b{1,},c", "?/a{2,3}b{1,} c "},
		{"/a\\{2,3", "/a\\{2 3 "},
		{"a{2,3}", "a{2 3} "},
	};
	char space[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
			items_of(cases[i].text, space, sizeof(space)), cases[i].expected);
}

CASE(numbers_in_a_set)
{
	static const struct {
		const char *text, *message;
		// Whether 0, 3 and 7 are in it.
		bool has[3];
	} cases[] = {
		{"3", NULL, {false, true, false}},
		{"3,7", NULL, {false, true, true}},
		{"!3", NULL, {true, false, true}},
		{"all", NULL, {true, true, true}},
		{"!all", NULL, {false, false, false}},
		{"none", NULL, {false, false, false}},
		{"!none", NULL, {true, true, true}},
		{"", "invalid descriptor ''", {0}},
		{"!", "invalid descriptor '!'", {0}},
		{"3,x", "invalid descriptor 'x'", {0}},
		{"-1", "invalid descriptor '-1'", {0}},
		{"3,all", "invalid descriptor 'all'", {0}},
		{"all,3", "invalid descriptor 'all'", {0}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct number_set set = {0};
		struct error *error = number_set_parse(&set, cases[i].text, "descriptor");

		assert_string_equal(
			error ? error->message : "", cases[i].message ? cases[i].message : "");
		assert_true(number_set_has(&set, 0) == cases[i].has[0]);
		assert_true(number_set_has(&set, 3) == cases[i].has[1]);
		assert_true(number_set_has(&set, 7) == cases[i].has[2]);
		assert_false(number_set_has(&set, -1));
		error_destroy(error);
		number_set_deinit(&set);
	}
}

CASE(a_wrong_set_changes_nothing)
{
	struct number_set set = {0};

	assert_null(number_set_parse(&set, "5", "descriptor"));
	error_destroy(number_set_parse(&set, "6,x", "descriptor"));
	assert_true(number_set_has(&set, 5));
	assert_false(number_set_has(&set, 6));
	number_set_deinit(&set);
}

CASE(the_nearest_word)
{
	static const struct {
		const char *word, *expected;
	} cases[] = {
		{"opne", "open"},
		{"clse", "close"},
		{"raed", "read"},
		// As far from one as from the other: the first.
		{"openatx", "openat"},
		{"reed", "read"},
		// More than a third of it would have to change.
		{"abcd", NULL},
		{"xy", NULL},
		{"", NULL},
		{"a-word-that-is-longer-than-all-that-are-compared", NULL},
	};
	static const char *const words[] = {"open", "openat", "openat4", "close", "read"};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nearest nearest = nearest_begin(cases[i].word);

		for (size_t j = 0; j < sizeof(words) / sizeof(words[0]); j++)
			nearest_try(&nearest, words[j]);
		assert_string_equal(nearest.best ? nearest.best : "",
			cases[i].expected ? cases[i].expected : "");
	}
}

RUN_CASES(ADD(items_between_commas), ADD(numbers_in_a_set), ADD(a_wrong_set_changes_nothing),
	ADD(the_nearest_word));
