// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/glob.h"

#include <string.h>

#include "unit.h"

static bool matches(const char *pattern, const char *path, bool below)
{
	struct glob *glob = glob_create(pattern);
	bool matched = glob_match(glob, path, below);

	glob_destroy(glob);
	return matched;
}

static void expect(const char *pattern, const char *path, bool exact, bool below)
{
	if (matches(pattern, path, false) != exact || matches(pattern, path, true) != below)
		fail_msg("%s and %s: exactly %d, below %d wanted", pattern, path, exact, below);
}

CASE(words_mean_themselves)
{
	expect("/a/b", "/a/b", true, true);
	expect("/a/b", "/a/bc", false, false);
	expect("/a/b", "/a/b/c", false, true);
	expect("/a/b", "/a", false, false);
	expect("/a\\*b\\?\\[x", "/a*b?[x", true, true);
	expect("/a\\*b", "/axb", false, false);
}

CASE(stars_and_question_marks_stay_in_a_part)
{
	expect("/a/*", "/a/x", true, true);
	expect("/a/*", "/a/", true, true);
	expect("/a/*", "/a", false, false);
	expect("/a/*", "/a/x/y", false, true);
	expect("/a/*.c", "/a/x.c", true, true);
	expect("/a/*.c", "/a/x.c.h", false, false);
	expect("/a/*.c", "/a/x/y.c", false, false);
	expect("/*/b*d/e", "/a/bcd/e", true, true);
	expect("/a/?", "/a/x", true, true);
	expect("/a/?", "/a/xy", false, false);
	expect("/a?b", "/a/b", false, false);
}

CASE(two_stars_cross_parts)
{
	expect("/a/**", "/a/x/y/z", true, true);
	expect("/a/**", "/a", false, false);
	expect("/a/**/z", "/a/z", true, true);
	expect("/a/**/z", "/a/x/y/z", true, true);
	expect("/a/**/z", "/a/xz", false, false);
	expect("/a/**/z", "/a/x/z/y", false, true);
	expect("/**/x.c", "/x.c", true, true);
	expect("/**/x.c", "/a/x.c", true, true);
	expect("/**/x.c", "/ax.c", false, false);
	expect("/a**z", "/a/b/z", true, true);
	expect("/a/***/z", "/a/b/z", true, true);
}

CASE(sets_are_one_character)
{
	expect("/[abc]", "/b", true, true);
	expect("/[abc]", "/d", false, false);
	expect("/[a-cx]", "/c", true, true);
	expect("/[a-cx]", "/x", true, true);
	expect("/[!a-c]", "/d", true, true);
	expect("/[!a-c]", "/b", false, false);
	expect("/[^a-c]", "/b", false, false);
	expect("/[]a]", "/]", true, true);
	expect("/[a-]", "/-", true, true);
	expect("/[\\]x]", "/]", true, true);
	expect("/a[!x]b", "/a/b", false, false);
	expect("/[\x80-\xff]", "/\xe4", true, true);
}

CASE(a_set_without_end_is_a_bracket)
{
	expect("/[ab", "/[ab", true, true);
	expect("/[", "/[", true, true);
	expect("/[!", "/[!", true, true);
}

// Takes forever where every star is tried at every place.
CASE(many_stars_take_no_time)
{
	char path[4096];

	memset(path, 'a', sizeof(path) - 1);
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	expect("/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", path, false, false);
	expect("/**a**a**a**a**a**a**a**a**a**a**a**b", path, false, false);
	expect("/**/*a**/*a**/*a**/*a**/*a*b", path, false, false);
}

CASE(what_a_pattern_is)
{
	assert_true(glob_is("/a/*"));
	assert_true(glob_is("a?"));
	assert_true(glob_is("[a]"));
	assert_false(glob_is("/a/b"));
	assert_false(glob_is("a]{x,y}"));
}

RUN_CASES(ADD(words_mean_themselves), ADD(stars_and_question_marks_stay_in_a_part),
	ADD(two_stars_cross_parts), ADD(sets_are_one_character),
	ADD(a_set_without_end_is_a_bracket), ADD(many_stars_take_no_time), ADD(what_a_pattern_is));
