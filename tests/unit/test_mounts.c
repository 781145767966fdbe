// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/mounts.h"

#include <string.h>
#include <unistd.h>

#include "unit.h"

static const char text[] =
	"27 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
	"28 27 0:21 / /proc rw shared:12 - proc proc rw\n"
	"30 27 8:1 /data/my\\040files /mnt/with\\040blank rw master:1 - ext4 /dev/sda1 rw\n"
	"31 27 8:2 / /srv rw - ext4 /dev/sda2 rw\n"
	"32 31 8:3 /@home /srv rw - btrfs /dev/sda3 rw\n"
	"no mount\n"
	"33 27 8:1 /data/f /etc/f rw - ext4 /dev/sda1 rw";

static const struct mount *of_name(const struct mounts *mounts, const char *name)
{
	const struct mount *mount = mounts_of_name(mounts, name);

	assert_non_null(mount);
	return mount;
}

CASE(lines_of_mountinfo)
{
	struct mounts mounts = {0};
	const struct mount *mount;

	mounts_parse(&mounts, text);
	assert_int_equal(mounts.list.count, 6);
	mount = mounts_find(&mounts, 30);
	assert_non_null(mount);
	assert_int_equal(mount->parent, 27);
	assert_int_equal(mount->major, 8);
	assert_int_equal(mount->minor, 1);
	assert_string_equal(mount->root, "/data/my files");
	assert_string_equal(mount->point, "/mnt/with blank");
	assert_null(mounts_find(&mounts, 29));
	assert_true(mounts_overlap(&mounts));
	mounts_parse(&mounts, "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	assert_int_equal(mounts.list.count, 1);
	assert_false(mounts_overlap(&mounts));
	mounts_deinit(&mounts);
}

// The deepest mount point, and of several at one place the last.
CASE(the_mount_of_a_name)
{
	struct mounts mounts = {0};

	mounts_parse(&mounts, text);
	assert_int_equal(of_name(&mounts, "/")->id, 27);
	assert_int_equal(of_name(&mounts, "/procession")->id, 27);
	assert_int_equal(of_name(&mounts, "/proc/1")->id, 28);
	assert_int_equal(of_name(&mounts, "/srv/x")->id, 32);
	assert_int_equal(of_name(&mounts, "/etc/f")->id, 33);
	mounts_deinit(&mounts);
}

static void expect_inner(
	const struct mounts *mounts, uint64_t id, const char *name, const char *inner)
{
	struct buf buf = {0};
	bool found = mount_inner(&buf, mounts_find(mounts, id), name);

	assert_int_equal(found, inner != NULL);
	if (found)
		assert_string_equal(buf_text(&buf), inner);
	buf_deinit(&buf);
}

static void expect_outer(
	const struct mounts *mounts, uint64_t id, const char *inner, const char *name)
{
	struct buf buf = {0};
	bool found = mount_outer(&buf, mounts_find(mounts, id), inner);

	assert_int_equal(found, name != NULL);
	if (found)
		assert_string_equal(buf_text(&buf), name);
	buf_deinit(&buf);
}

CASE(names_within_a_file_system_and_back)
{
	struct mounts mounts = {0};

	mounts_parse(&mounts, text);
	expect_inner(&mounts, 27, "/", "/");
	expect_inner(&mounts, 27, "/a/b", "/a/b");
	expect_inner(&mounts, 30, "/mnt/with blank/x", "/data/my files/x");
	expect_inner(&mounts, 30, "/mnt/with blank", "/data/my files");
	expect_inner(&mounts, 30, "/mnt/with blanks", NULL);
	expect_inner(&mounts, 33, "/etc/f", "/data/f");
	expect_outer(&mounts, 27, "/data/f", "/data/f");
	expect_outer(&mounts, 33, "/data/f", "/etc/f");
	expect_outer(&mounts, 33, "/data/fg", NULL);
	expect_outer(&mounts, 30, "/data", NULL);
	expect_outer(&mounts, 32, "/@home", "/srv");
	expect_outer(&mounts, 31, "/", "/srv");
	expect_outer(&mounts, 31, "/x", "/srv/x");
	mounts_deinit(&mounts);
}

CASE(below)
{
	assert_string_equal(path_below("/", "/a"), "/a");
	assert_string_equal(path_below("/", "/"), "");
	assert_string_equal(path_below("/a", "/a"), "");
	assert_string_equal(path_below("/a", "/a/b/c"), "/b/c");
	assert_null(path_below("/a", "/ab"));
	assert_null(path_below("/a/b", "/a"));
	assert_null(path_below("/", "pipe:[1]"));
}

CASE(our_own_mounts)
{
	struct mounts mounts = {0};
	struct mounts same = {0};

	assert_true(mounts_read(&mounts, 0));
	assert_true(mounts_read(&same, getpid()));
	assert_true(mounts.list.count > 0);
	assert_int_equal(mounts.list.count, same.list.count);
	assert_int_equal(of_name(&mounts, "/proc/self")->major, 0);
	assert_false(mounts_read(&same, 0x7fffffff));
	mounts_deinit(&mounts);
	mounts_deinit(&same);
}

RUN_CASES(ADD(lines_of_mountinfo), ADD(the_mount_of_a_name),
	ADD(names_within_a_file_system_and_back), ADD(below), ADD(our_own_mounts));
