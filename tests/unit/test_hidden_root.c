// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Where a chroot is in its file system. Each case is a process with a mount namespace of its own
// in a chroot to a new directory, /root of a new file system, with  a/b/a  x  file  linked.

#include "proc/hidden_root.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/mounts.h"
#include "unit.h"

static bool make_tree(void)
{
	int fd = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	return fd >= 0 && !close(fd) && !link("file", "linked") && !mkdir("a", 0700) &&
	       !mkdir("a/b", 0700) && !mkdir("a/b/a", 0700) && !mkdir("x", 0700) &&
	       !mkdir("proc", 0700);
}

// What is mounted on a mount that is not shared shows nowhere else. That of /proc can always be
// made so, while `/` may be no mount point.
static bool enter_chroot(void)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) &&
	       !mount("none", "/proc/fs", "tmpfs", 0, NULL) && !chdir("/proc/fs") &&
	       !mkdir("root", 0700) && !chdir("root") && make_tree() &&
	       !mount("proc", "proc", "proc", 0, NULL) && !chroot(".") && !chdir("/");
}

static bool bind_here(const char *from, const char *to)
{
	return !mount(from, to, NULL, MS_BIND, NULL);
}

/** Makes mounts and says what is known then of the place of the root. */
typedef void (*story)(struct hidden_root *hidden, struct mounts *own);

static void read_own(struct hidden_root *hidden, struct mounts *own)
{
	mounts_read(own, 0);
	hidden_root_add(hidden, own);
}

static void tell(int to, story of)
{
	struct hidden_root hidden = {0};
	struct mounts own = {0};

	if (!enter_chroot())
		_exit(1);
	read_own(&hidden, &own);
	of(&hidden, &own);
	dprintf(to, "%s", hidden.place ? hidden.place : "unknown");
	mounts_deinit(&own);
	hidden_root_deinit(&hidden);
	_exit(0);
}

static void expect_place(story of, const char *place)
{
	char text[256] = "";
	int answer[2], status;
	pid_t child;

	if (geteuid() != 0) {
		print_message("needs root\n");
		skip();
	}
	assert_int_equal(pipe(answer), 0);
	child = fork();
	if (child == 0)
		tell(answer[1], of);
	close(answer[1]);
	while (read(answer[0], text + strlen(text), sizeof(text) - strlen(text) - 1) > 0)
		;
	close(answer[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status == 1 << 8) {
		print_message("no mount namespace or no file system may be made here\n");
		skip();
	}
	assert_int_equal(status, 0);
	assert_string_equal(text, place);
}

static void nothing_is_bound(struct hidden_root *hidden, struct mounts *own)
{
	const struct mount *root = mounts_of_name(own, "/a/b");

	if (!root || root->id != hidden->mount || strcmp(root->root, "//") != 0 ||
		!mounts_have_root(own))
		_exit(2);
}

CASE(no_mount_tells)
{
	expect_place(nothing_is_bound, "unknown");
}

static void a_directory_is_bound(struct hidden_root *hidden, struct mounts *own)
{
	const struct mount *root;

	if (!bind_here("a/b", "x"))
		_exit(2);
	read_own(hidden, own);
	root = mounts_of_name(own, "/a/b");
	if (!root || strcmp(root->root, "/root") != 0 || !mounts_overlap(own))
		_exit(3);
}

CASE(a_bind_mount_tells)
{
	expect_place(a_directory_is_bound, "/root");
}

// Its last part alone names another directory here.
static void an_inner_end_exists(struct hidden_root *hidden, struct mounts *own)
{
	if (!bind_here("a/b/a", "x"))
		_exit(2);
	read_own(hidden, own);
}

CASE(not_any_end_of_the_path_is_it)
{
	expect_place(an_inner_end_exists, "/root");
}

static void the_root_is_bound(struct hidden_root *hidden, struct mounts *own)
{
	if (!bind_here("/", "x"))
		_exit(2);
	read_own(hidden, own);
}

CASE(the_root_itself_tells)
{
	expect_place(the_root_is_bound, "/root");
}

static void a_file_is_bound(struct hidden_root *hidden, struct mounts *own)
{
	if (!bind_here("file", "linked"))
		_exit(2);
	read_own(hidden, own);
}

// Which of its names the path ends with cannot be told.
CASE(a_file_with_two_names_does_not_tell)
{
	expect_place(a_file_is_bound, "unknown");
}

static void a_mount_is_covered(struct hidden_root *hidden, struct mounts *own)
{
	if (!bind_here("a/b", "x") || mount("none", "x", "tmpfs", 0, NULL))
		_exit(2);
	read_own(hidden, own);
}

CASE(a_covered_mount_does_not_tell)
{
	expect_place(a_mount_is_covered, "unknown");
}

static void a_mount_is_gone(struct hidden_root *hidden, struct mounts *own)
{
	a_directory_is_bound(hidden, own);
	if (umount("x"))
		_exit(2);
	read_own(hidden, own);
}

CASE(what_is_known_stays)
{
	expect_place(a_mount_is_gone, "/root");
}

static void somebody_else_mounts(struct hidden_root *hidden, struct mounts *own)
{
	struct mounts theirs = {0};
	int ready[2], keep[2];
	char byte;
	pid_t child;

	if (pipe(ready) || pipe(keep))
		_exit(2);
	child = fork();
	if (child == 0) {
		close(keep[1]);
		if (unshare(CLONE_NEWNS) || !bind_here("a", "x") || write(ready[1], "r", 1) != 1)
			_exit(1);
		_exit(read(keep[0], &byte, 1) != 0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		_exit(2);
	read_own(hidden, own);
	mounts_read(&theirs, child);
	if (hidden->place || !hidden_root_learn(hidden, &theirs, child) ||
		hidden_root_learn(hidden, &theirs, child))
		_exit(3);
	mounts_deinit(&theirs);
	close(keep[1]);
	waitpid(child, NULL, 0);
}

CASE(mounts_of_another_namespace_tell)
{
	expect_place(somebody_else_mounts, "/root");
}

RUN_CASES(ADD(no_mount_tells), ADD(a_bind_mount_tells), ADD(not_any_end_of_the_path_is_it),
	ADD(the_root_itself_tells), ADD(a_file_with_two_names_does_not_tell),
	ADD(a_covered_mount_does_not_tell), ADD(what_is_known_stays),
	ADD(mounts_of_another_namespace_tell));
