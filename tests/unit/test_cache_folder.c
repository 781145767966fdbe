// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "unwind/cache/cache_folder.h"

/** A fresh folder, and what is made in it. */
struct place {
	char path[64];
	int folder;
};

static void begin(struct place *place)
{
	strcpy(place->path, "/tmp/cache-folder-XXXXXX");
	assert_non_null(mkdtemp(place->path));
	place->folder = cache_folder_open(place->path);
	assert_true(place->folder >= 0);
}

static void end(struct place *place)
{
	char *command = xasprintf("rm -rf %s", place->path);

	close(place->folder);
	assert_int_equal(system(command), 0);
	free(command);
}

static void assert_contents(int folder, const char *name, const char *text)
{
	size_t size = 0;
	uint8_t *data = cache_folder_read(folder, name, &size);

	assert_non_null(data);
	assert_int_equal(size, strlen(text));
	assert_memory_equal(data, text, size);
	free(data);
}

static void assert_refused(int folder, const char *name)
{
	size_t size;

	assert_null(cache_folder_read(folder, name, &size));
}

CASE(what_was_written_is_read)
{
	struct place place;

	begin(&place);
	assert_refused(place.folder, "a");
	cache_folder_write(place.folder, "a", "first", 5);
	assert_contents(place.folder, "a", "first");
	cache_folder_write(place.folder, "a", "second", 6);
	assert_contents(place.folder, "a", "second");
	end(&place);
}

CASE(the_folder_is_private)
{
	struct place place;
	struct stat stat;

	begin(&place);
	assert_int_equal(fstat(place.folder, &stat), 0);
	assert_int_equal(stat.st_mode & 0777, 0700);
	cache_folder_write(place.folder, "a", "text", 4);
	assert_int_equal(fstatat(place.folder, "a", &stat, 0), 0);
	assert_int_equal(stat.st_mode & 0777, 0600);
	end(&place);
}

CASE(what_others_may_write_is_not_read)
{
	struct place place;

	begin(&place);
	cache_folder_write(place.folder, "a", "text", 4);
	assert_int_equal(fchmodat(place.folder, "a", 0620, 0), 0);
	assert_refused(place.folder, "a");
	assert_int_equal(fchmodat(place.folder, "a", 0602, 0), 0);
	assert_refused(place.folder, "a");
	// The folder and the one around it must be as safe.
	assert_int_equal(fchmod(place.folder, 0770), 0);
	assert_int_equal(cache_folder_open(place.path), -1);
	assert_int_equal(fchmod(place.folder, 0700), 0);
	assert_int_equal(chmod(place.path, 0707), 0);
	assert_int_equal(cache_folder_open(place.path), -1);
	end(&place);
}

CASE(what_others_own_is_not_read)
{
	struct place place;

	if (geteuid()) {
		print_message("skipped: only root can give files away\n");
		return;
	}
	begin(&place);
	cache_folder_write(place.folder, "a", "text", 4);
	assert_int_equal(fchownat(place.folder, "a", 1, 1, 0), 0);
	assert_refused(place.folder, "a");
	assert_int_equal(fchown(place.folder, 1, 1), 0);
	assert_int_equal(cache_folder_open(place.path), -1);
	end(&place);
}

CASE(only_plain_files_are_read)
{
	struct place place;

	begin(&place);
	cache_folder_write(place.folder, "a", "text", 4);
	assert_int_equal(symlinkat("a", place.folder, "link"), 0);
	assert_refused(place.folder, "link");
	assert_int_equal(mkfifoat(place.folder, "pipe", 0600), 0);
	assert_refused(place.folder, "pipe");
	assert_int_equal(mkdirat(place.folder, "folder", 0700), 0);
	assert_refused(place.folder, "folder");
	end(&place);
}

CASE(a_link_in_the_place_of_the_folder_is_refused)
{
	struct place place;
	char *other, *link;

	begin(&place);
	other = xasprintf("%s/other", place.path);
	link = xasprintf("%s/tracer", other);
	assert_int_equal(mkdir(other, 0700), 0);
	assert_int_equal(symlink("../tracer", link), 0);
	assert_int_equal(cache_folder_open(other), -1);
	free(link);
	free(other);
	end(&place);
}

CASE(too_big_a_file_is_neither_written_nor_read)
{
	uint8_t *big = xcalloc(1, CACHE_FILE_MAX + 1);
	struct place place;
	int fd;

	begin(&place);
	cache_folder_write(place.folder, "a", big, CACHE_FILE_MAX + 1);
	assert_int_equal(faccessat(place.folder, "a", F_OK, 0), -1);
	fd = openat(place.folder, "a", O_CREAT | O_WRONLY, 0600);
	assert_int_equal(ftruncate(fd, CACHE_FILE_MAX + 1), 0);
	close(fd);
	assert_refused(place.folder, "a");
	free(big);
	end(&place);
}

CASE(files_unused_for_longest_go)
{
	struct place place;
	size_t size;

	begin(&place);
	for (int i = 0; i < 10; i++) {
		struct timespec times[] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
		char name[] = {(char)('a' + i), '\0'};

		cache_folder_write(place.folder, name, "0123456789", 10);
		assert_int_equal(utimensat(place.folder, name, times, 0), 0);
	}
	// Reading is using.
	free(cache_folder_read(place.folder, "a", &size));
	cache_folder_prune(place.folder, 35);
	assert_contents(place.folder, "a", "0123456789");
	assert_refused(place.folder, "b");
	assert_refused(place.folder, "h");
	assert_contents(place.folder, "i", "0123456789");
	assert_contents(place.folder, "j", "0123456789");
	end(&place);
}

CASE(no_folder)
{
	assert_int_equal(cache_folder_open("/dev/null"), -1);
	assert_int_equal(cache_folder_open("/nonexistent/deeper"), -1);
}

RUN_CASES(ADD(what_was_written_is_read), ADD(the_folder_is_private),
	ADD(what_others_may_write_is_not_read), ADD(what_others_own_is_not_read),
	ADD(only_plain_files_are_read), ADD(a_link_in_the_place_of_the_folder_is_refused),
	ADD(too_big_a_file_is_neither_written_nor_read), ADD(files_unused_for_longest_go),
	ADD(no_folder));
