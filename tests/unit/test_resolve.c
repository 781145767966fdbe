// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "proc/direct_path.h"
#include "proc/task_fs.h"
#include "unit.h"

// We are the task that is asked about: whatever the kernel makes of a path is right.
struct place {
	char folder[64];
	struct resolver resolver;
	struct task_fs fs;
};

static void make(const char *path, mode_t kind)
{
	if (S_ISDIR(kind))
		assert_int_equal(mkdir(path, 0700), 0);
	else
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void place_init(struct place *place)
{
	strcpy(place->folder, "/tmp/resolve.XXXXXX");
	assert_non_null(mkdtemp(place->folder));
	assert_int_equal(chdir(place->folder), 0);
	make("d", S_IFDIR);
	make("d/e", S_IFDIR);
	make("d/e/f", S_IFREG);
	assert_int_equal(symlink("d", "link"), 0);
	assert_int_equal(symlink("../link/e", "d/back"), 0);
	assert_int_equal(symlink("nowhere/x", "dangling"), 0);
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_int_equal(symlink("/", "root"), 0);
	resolver_init(&place->resolver);
	task_fs_init(&place->fs, getpid());
}

static void place_deinit(struct place *place)
{
	static const char *const names[] = {"d/e/f", "d/back", "link", "dangling", "loop", "root"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(names[i]);
	rmdir("d/e");
	rmdir("d");
	assert_int_equal(chdir("/"), 0);
	rmdir(place->folder);
	resolver_deinit(&place->resolver);
	task_fs_deinit(&place->fs);
}

static void expect_from(struct place *place, int dirfd, const char *path, unsigned flags,
	bool exists, const char *name)
{
	// A name without a slash in front is below the folder.
	cleanup_free char *full = xasprintf("%s%s%s", name[0] == '/' ? "" : place->folder,
		name[0] && name[0] != '/' ? "/" : "", name);
	struct resolved resolved;
	struct direct_path direct;
	struct file_id id;

	assert_true(resolve_path(&place->resolver, &place->fs, dirfd, path, flags, &resolved));
	assert_string_equal(resolved.name, full);
	assert_int_equal(resolved.exists, exists);
	exists = exists && resolved_id(&resolved, &id);
	// Whoever can tell at once says the same.
	for (int identify = 0; identify <= 1; identify++) {
		if (!direct_path_find(
			    &place->resolver, &place->fs, dirfd, path, flags, identify, &direct))
			continue;
		assert_string_equal(direct.name, full);
		assert_int_equal(direct.has_id, identify && exists);
		if (direct.has_id)
			assert_true(file_id_equal(&direct.id, &id));
	}
}

static void expect(struct place *place, const char *path, bool exists, const char *name)
{
	expect_from(place, AT_FDCWD, path, 0, exists, name);
}

CASE(names_of_what_exists)
{
	struct place place;

	place_init(&place);
	expect(&place, "d/e/f", true, "d/e/f");
	expect(&place, "./d//e/../e/./f", true, "d/e/f");
	expect(&place, "d/e/", true, "d/e");
	expect(&place, ".", true, "");
	expect(&place, "/", true, "/");
	expect(&place, "/..", true, "/");
	expect(&place, "/../../etc", true, "/etc");
	place_deinit(&place);
}

CASE(links_are_followed)
{
	struct place place;

	place_init(&place);
	expect(&place, "link", true, "d");
	expect(&place, "link/e/f", true, "d/e/f");
	expect(&place, "link/../d", true, "d");
	expect(&place, "link/back/f", true, "d/e/f");
	expect(&place, "link/", true, "d");
	expect(&place, "root/etc", true, "/etc");
	expect_from(&place, AT_FDCWD, "link", RESOLVE_NOFOLLOW, true, "link");
	expect_from(&place, AT_FDCWD, "link/back", RESOLVE_NOFOLLOW, true, "d/back");
	expect_from(&place, AT_FDCWD, "link/", RESOLVE_NOFOLLOW, true, "d");
	expect_from(&place, AT_FDCWD, "dangling", RESOLVE_NOFOLLOW, true, "dangling");
	place_deinit(&place);
}

CASE(links_on_the_way_are_told)
{
	struct place place;
	struct resolved resolved;
	cleanup_free char *first = NULL, *second = NULL;

	place_init(&place);
	first = xasprintf("%s/link", place.folder);
	second = xasprintf("%s/d/back", place.folder);
	assert_true(
		resolve_path(&place.resolver, &place.fs, AT_FDCWD, "link/back/f", 0, &resolved));
	assert_int_equal(resolved.link_count, 3);
	assert_string_equal(resolved_link(&place.resolver, &resolved, 0), first);
	assert_string_equal(resolved_link(&place.resolver, &resolved, 1), second);
	assert_string_equal(resolved_link(&place.resolver, &resolved, 2), first);
	assert_true(resolve_path(&place.resolver, &place.fs, AT_FDCWD, "d/e/f", 0, &resolved));
	assert_int_equal(resolved.link_count, 0);
	place_deinit(&place);
}

CASE(what_does_not_exist_has_a_name)
{
	struct place place;

	place_init(&place);
	expect(&place, "none", false, "none");
	expect(&place, "d/none", false, "d/none");
	expect(&place, "link/none", false, "d/none");
	expect(&place, "d/none/a/../b", false, "d/none/b");
	expect(&place, "d/e/f/x", false, "d/e/f/x");
	expect(&place, "dangling", false, "nowhere/x");
	expect(&place, "d/none/", false, "d/none");
	place_deinit(&place);
}

CASE(circles_end)
{
	struct place place;
	struct resolved resolved;

	place_init(&place);
	assert_true(resolve_path(&place.resolver, &place.fs, AT_FDCWD, "loop", 0, &resolved));
	assert_false(resolved.exists);
	place_deinit(&place);
}

CASE(from_descriptors)
{
	struct place place;
	struct resolved resolved;
	int fd;

	place_init(&place);
	fd = open("d", O_PATH | O_CLOEXEC);
	expect_from(&place, fd, "e/f", 0, true, "d/e/f");
	expect_from(&place, fd, "../link", 0, true, "d");
	expect_from(&place, fd, "/etc", 0, true, "/etc");
	expect_from(&place, fd, "/e/f", RESOLVE_ROOTED, true, "d/e/f");
	expect_from(&place, fd, "../../e", RESOLVE_ROOTED, true, "d/e");
	expect_from(&place, fd, "/../none", RESOLVE_ROOTED, false, "d/none");
	close(fd);
	assert_false(resolve_path(&place.resolver, &place.fs, fd, "e", 0, &resolved));
	assert_false(resolve_path(&place.resolver, &place.fs, -1, "e", 0, &resolved));
	place_deinit(&place);
}

CASE(links_of_proc)
{
	struct place place;
	cleanup_free char *path = NULL;
	int fd;

	place_init(&place);
	fd = open("d/e", O_PATH | O_CLOEXEC);
	path = xasprintf("/proc/self/fd/%d/f", fd);
	expect(&place, path, true, "d/e/f");
	expect(&place, "/proc/self/cwd/link/e", true, "d/e");
	expect(&place, "/proc/thread-self/cwd/d", true, "d");
	expect(&place, "/proc/self/root/etc", true, "/etc");
	close(fd);
	place_deinit(&place);
}

CASE(descriptors)
{
	struct place place;
	struct resolved resolved;
	struct file_id id;
	int fd, ends[2];

	place_init(&place);
	fd = open("d/e/f", O_RDONLY | O_CLOEXEC);
	assert_true(resolve_fd(&place.resolver, getpid(), fd, &resolved));
	assert_true(strstr(resolved.name, "/d/e/f") != NULL);
	assert_false(resolved.deleted);
	unlink("d/e/f");
	assert_true(resolve_fd(&place.resolver, getpid(), fd, &resolved));
	assert_string_equal(resolved.name + strlen(resolved.name) - 4, "/e/f");
	assert_true(resolved.deleted);
	assert_true(resolved_id(&resolved, &id));
	assert_int_equal(id.links, 0);
	close(fd);
	fd = open("d/e/f (deleted)", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	assert_true(resolve_fd(&place.resolver, getpid(), fd, &resolved));
	assert_true(strstr(resolved.name, "/f (deleted)") != NULL);
	unlink("d/e/f (deleted)");
	close(fd);
	assert_int_equal(pipe(ends), 0);
	assert_true(resolve_fd(&place.resolver, getpid(), ends[0], &resolved));
	assert_memory_equal(resolved.name, "pipe:[", 6);
	close(ends[0]);
	close(ends[1]);
	assert_false(resolve_fd(&place.resolver, getpid(), ends[0], &resolved));
	assert_true(resolve_fd(&place.resolver, getpid(), AT_FDCWD, &resolved));
	assert_string_equal(resolved.name, place.folder);
	place_deinit(&place);
}

static void expect_direct(
	struct place *place, int dirfd, const char *path, unsigned flags, bool direct, bool fixed)
{
	struct direct_path found;

	assert_int_equal(
		direct_path_find(&place->resolver, &place->fs, dirfd, path, flags, false, &found),
		direct);
	if (direct)
		assert_int_equal(found.fixed, fixed);
}

CASE(what_leads_directly_down)
{
	struct place place;
	int fd;

	place_init(&place);
	fd = open("d", O_PATH | O_CLOEXEC);
	expect_direct(&place, AT_FDCWD, "d", 0, true, false);
	expect_direct(&place, AT_FDCWD, "none", 0, true, false);
	expect_direct(&place, AT_FDCWD, "link", 0, false, false);
	expect_direct(&place, AT_FDCWD, "link", RESOLVE_NOFOLLOW, true, true);
	expect_direct(&place, AT_FDCWD, "link/", RESOLVE_NOFOLLOW, false, false);
	expect_direct(&place, AT_FDCWD, "link/e", 0, false, false);
	expect_direct(&place, AT_FDCWD, "d/e//./f", 0, true, false);
	expect_direct(&place, AT_FDCWD, "d/e/f/x", 0, true, false);
	expect_direct(&place, AT_FDCWD, "d/../d", 0, false, false);
	expect_direct(&place, AT_FDCWD, "d/none/../x", 0, false, false);
	expect_direct(&place, AT_FDCWD, "dangling", 0, false, false);
	expect_direct(&place, AT_FDCWD, "/usr/./none", 0, true, false);
	expect_direct(&place, AT_FDCWD, "/proc/self/status", 0, false, false);
	expect_direct(&place, AT_FDCWD, "/..", 0, false, false);
	expect_direct(&place, fd, "e", 0, true, false);
	expect_direct(&place, fd, "e", RESOLVE_NOFOLLOW, true, true);
	expect_direct(&place, fd, "back", 0, false, false);
	expect_direct(&place, fd, "..", RESOLVE_NOFOLLOW, false, false);
	expect_direct(&place, fd, "e", RESOLVE_ROOTED, false, false);
	expect_direct(&place, 999, "e", RESOLVE_NOFOLLOW, false, false);
	// A directory without a name is no place to put names behind.
	make("gone", S_IFDIR);
	assert_int_equal(chdir("gone"), 0);
	rmdir("../gone");
	task_fs_check(&place.fs, 1);
	expect_direct(&place, AT_FDCWD, "x", RESOLVE_NOFOLLOW, false, false);
	assert_int_equal(chdir(place.folder), 0);
	close(fd);
	place_deinit(&place);
}

static int count_fds(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

CASE(nothing_stays_open)
{
	struct place place;
	int before = count_fds();

	place_init(&place);
	for (int i = 0; i < 200; i++) {
		expect(&place, "link/back/f", true, "d/e/f");
		expect(&place, "d/e", true, "d/e");
		expect(&place, "d/none", false, "d/none");
		assert_true(count_fds() < before + 100);
	}
	place_deinit(&place);
	assert_int_equal(count_fds(), before);
}

RUN_CASES(ADD(names_of_what_exists), ADD(links_are_followed), ADD(links_on_the_way_are_told),
	ADD(what_does_not_exist_has_a_name), ADD(circles_end), ADD(from_descriptors),
	ADD(links_of_proc), ADD(descriptors), ADD(what_leads_directly_down),
	ADD(nothing_stays_open));
