// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "unit.h"

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

	path_set_add(&set, "/usr");
	path_set_add(&set, "/no/such/place/");
	assert_true(path_set_has(&set, "/usr"));
	assert_true(path_set_has(&set, "/usr/lib/debug/x"));
	assert_false(path_set_has(&set, "/usrx"));
	assert_false(path_set_has(&set, "/"));
	assert_true(path_set_has(&set, "/no/such/place"));
	assert_true(path_set_has(&set, "/no/such/place/below"));
	assert_false(path_set_has(&set, "/no/such"));
	path_set_deinit(&set);
}

CASE(a_file_means_only_itself)
{
	struct path_set set = {0};

	path_set_add(&set, "/etc/passwd");
	assert_true(path_set_has(&set, "/etc/passwd"));
	assert_false(path_set_has(&set, "/etc/passwd/x"));
	assert_false(path_set_has(&set, "/etc/passwd-"));
	path_set_deinit(&set);
}

CASE(the_root_means_everything)
{
	struct path_set set = {0};

	path_set_add(&set, "/");
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
	assert_string_equal(path_set_add(&set, link), real);
	assert_true(path_set_has(&set, link));
	assert_true(path_set_has(&set, below));
	assert_null(path_set_add(&set, real));
	path_set_deinit(&set);
	unlink(link);
	rmdir(real);
	rmdir(folder);
}

RUN_CASES(ADD(clean_paths), ADD(clean_appends_without_touching_what_is_there),
	ADD(directories_and_missing_paths_mean_their_subtree), ADD(a_file_means_only_itself),
	ADD(the_root_means_everything), ADD(links_stand_for_both_ends));
