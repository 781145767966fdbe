// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "proc/mounts.h"
#include "unit.h"

// Adds a pattern; what it resolves to, if that is something else.
static const char *add(struct path_set *set, const char *text)
{
	const char *resolved;

	assert_null(path_set_add(set, text, &resolved));
	return resolved;
}

static void expect_clean(const char *base, const char *path, const char *clean)
{
	struct buf buf = {0};

	path_clean(&buf, base, path);
	assert_string_equal(buf_text(&buf), clean);
	buf_deinit(&buf);
}

CASE(clean_paths)
{
	expect_clean("/", "/usr//lib/./debug/", "/usr/lib/debug");
	expect_clean("/usr/lib", "debug/x", "/usr/lib/debug/x");
	expect_clean("/usr/lib", "/etc", "/etc");
	expect_clean("/usr/lib", "../share", "/usr/share");
	expect_clean("/usr", "../../../etc", "/etc");
	expect_clean("/usr", "..", "/");
	expect_clean("/usr", "", "/usr");
	expect_clean("/", ".", "/");
	expect_clean("/usr", "...", "/usr/...");
}

CASE(clean_appends_without_touching_what_is_there)
{
	struct buf buf = {0};

	buf_string(&buf, "/head");
	path_clean(&buf, "/", "../../x");
	assert_string_equal(buf_text(&buf), "/head/x");
	buf_deinit(&buf);
}

CASE(directories_and_missing_paths_mean_their_subtree)
{
	struct path_set set = {0};

	add(&set, "/usr");
	add(&set, "/no/such/place/");
	assert_true(path_set_has(&set, "/usr"));
	assert_true(path_set_has(&set, "/usr/lib/debug/x"));
	assert_false(path_set_has(&set, "/usrx"));
	assert_false(path_set_has(&set, "/"));
	assert_true(path_set_has(&set, "/no/such/place"));
	assert_true(path_set_has(&set, "/no/such/place/below"));
	assert_false(path_set_has(&set, "/no/such"));
	path_set_deinit(&set);
}

// Whoever looks for something below a file has to do with the file.
CASE(a_file_is_not_what_only_begins_like_it)
{
	struct path_set set = {0};

	add(&set, "/etc/passwd");
	assert_true(path_set_has(&set, "/etc/passwd"));
	assert_true(path_set_has(&set, "/etc/passwd/x"));
	assert_false(path_set_has(&set, "/etc/passwd-"));
	path_set_deinit(&set);
}

CASE(the_root_means_everything)
{
	struct path_set set = {0};

	add(&set, "/");
	assert_true(path_set_has(&set, "/"));
	assert_true(path_set_has(&set, "/etc/passwd"));
	path_set_deinit(&set);
}

CASE(links_stand_for_both_ends)
{
	char folder[] = "/tmp/path_set.XXXXXX";
	struct path_set set = {0};
	cleanup_free char *real = NULL, *link = NULL, *below = NULL;

	assert_non_null(mkdtemp(folder));
	real = xasprintf("%s/real", folder);
	link = xasprintf("%s/link", folder);
	below = xasprintf("%s/real/below", folder);
	assert_int_equal(mkdir(real, 0700), 0);
	assert_int_equal(symlink("real", link), 0);
	assert_string_equal(add(&set, link), real);
	assert_true(path_set_has(&set, link));
	assert_true(path_set_has(&set, below));
	assert_null(add(&set, real));
	path_set_deinit(&set);
	unlink(link);
	rmdir(real);
	rmdir(folder);
}

CASE(equals_sign_means_only_that)
{
	struct path_set set = {0};

	add(&set, "=/usr");
	assert_true(path_set_has(&set, "/usr"));
	assert_false(path_set_has(&set, "/usr/lib"));
	path_set_deinit(&set);
}

CASE(exclusions_win_whatever_the_order)
{
	struct path_set set = {0};

	add(&set, "!/no/such/cache");
	add(&set, "/no/such");
	add(&set, "/no/other");
	assert_int_equal(path_set_verdict(&set, "/no/such/x"), PATH_WANTED);
	assert_int_equal(path_set_verdict(&set, "/no/other"), PATH_WANTED);
	assert_int_equal(path_set_verdict(&set, "/no/such/cache/x"), PATH_EXCLUDED);
	assert_int_equal(path_set_verdict(&set, "/no"), PATH_OTHER);
	assert_false(path_set_has(&set, "/no"));
	path_set_deinit(&set);
}

CASE(exclusions_alone_mean_everything_else)
{
	struct path_set set = {0};

	add(&set, "!/proc");
	add(&set, "!=/dev");
	assert_false(path_set_has(&set, "/proc/1/stat"));
	assert_false(path_set_has(&set, "/dev"));
	assert_true(path_set_has(&set, "/dev/null"));
	assert_true(path_set_has(&set, "/etc"));
	path_set_deinit(&set);
}

CASE(patterns_mean_what_they_match_and_all_below)
{
	struct path_set set = {0};

	add(&set, "/no/*/cache");
	add(&set, "=/no/such/*.c");
	add(&set, "/no/**/deep");
	assert_true(path_set_has(&set, "/no/such/cache"));
	assert_true(path_set_has(&set, "/no/such/cache/x/y"));
	assert_false(path_set_has(&set, "/no/such/more/cache"));
	assert_true(path_set_has(&set, "/no/such/a.c"));
	assert_false(path_set_has(&set, "/no/such/a.c/x"));
	assert_true(path_set_has(&set, "/no/deep"));
	assert_true(path_set_has(&set, "/no/a/b/deep/x"));
	path_set_deinit(&set);
}

CASE(a_file_that_is_called_like_a_pattern_is_itself)
{
	char folder[] = "/tmp/path_set.XXXXXX";
	struct path_set set = {0};
	cleanup_free char *odd = NULL, *other = NULL;

	assert_non_null(mkdtemp(folder));
	odd = xasprintf("%s/[x]", folder);
	other = xasprintf("%s/x", folder);
	assert_int_equal(mkdir(odd, 0700), 0);
	add(&set, odd);
	assert_true(path_set_has(&set, odd));
	assert_false(path_set_has(&set, other));
	path_set_deinit(&set);
	rmdir(odd);
	rmdir(folder);
}

CASE(a_pattern_needs_a_path)
{
	static const char *const empty[] = {"", "!", "=", "!=", "=!"};
	const char *resolved;

	for (size_t i = 0; i < ARRAY_SIZE(empty); i++) {
		struct path_set set = {0};
		struct error *error = path_set_add(&set, empty[i], &resolved);

		assert_non_null(error);
		error_destroy(error);
		path_set_deinit(&set);
	}
}

// A bind mount of what a pattern names, and one of something below it.
CASE(mounts_give_other_names)
{
	static const char text[] = "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
				   "30 27 8:1 /no/such /mnt/bind rw - ext4 /dev/sda1 rw\n"
				   "31 27 8:1 /no/such/deep/x /mnt/x rw - ext4 /dev/sda1 rw\n"
				   "32 27 8:1 /no/other /mnt/other rw - ext4 /dev/sda1 rw\n"
				   "33 27 8:2 /no/such /mnt/disk rw - ext4 /dev/sda2 rw\n";
	struct mounts mounts = {0};
	struct path_set set = {0};

	mounts_parse(&mounts, text);
	add(&set, "/no/such/deep");
	path_set_find_names(&set, &mounts);
	assert_true(path_set_has(&set, "/no/such/deep/f"));
	assert_true(path_set_has(&set, "/mnt/bind/deep/f"));
	assert_true(path_set_has(&set, "/mnt/x"));
	assert_true(path_set_has(&set, "/mnt/x/f"));
	assert_false(path_set_has(&set, "/mnt/bind/f"));
	assert_false(path_set_has(&set, "/mnt/other/deep"));
	assert_false(path_set_has(&set, "/mnt/disk/deep"));
	path_set_deinit(&set);
	mounts_deinit(&mounts);
}

RUN_CASES(ADD(clean_paths), ADD(clean_appends_without_touching_what_is_there),
	ADD(directories_and_missing_paths_mean_their_subtree),
	ADD(a_file_is_not_what_only_begins_like_it), ADD(the_root_means_everything),
	ADD(links_stand_for_both_ends), ADD(equals_sign_means_only_that),
	ADD(exclusions_win_whatever_the_order), ADD(exclusions_alone_mean_everything_else),
	ADD(patterns_mean_what_they_match_and_all_below),
	ADD(a_file_that_is_called_like_a_pattern_is_itself), ADD(a_pattern_needs_a_path),
	ADD(mounts_give_other_names));
