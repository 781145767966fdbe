// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/cache/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"

static const char folder_name[] = "tracer";
/** Names of files that are being written; one that is left behind goes like any other. */
static const char unfinished[] = "unfinished-";

enum {
	/** Files looked at when room is made. */
	FILES_MAX = 100000,
	/** A file that was used is marked so only if its mark is this old. */
	MARK_SECONDS = 3600,
};

static bool is_ours(const struct stat *stat)
{
	return stat->st_uid == geteuid() && !(stat->st_mode & (S_IWGRP | S_IWOTH));
}

static int open_checked(int parent, const char *name)
{
	cleanup_close int fd =
		openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat) || !is_ours(&stat))
		return -1;
	return take_fd(fd);
}

int cache_folder_open(const char *path)
{
	cleanup_close int parent = -1;
	struct stat stat;
	int folder;

	// Somebody who runs us as another user keeps the folder to himself.
	if (mkdir(path, S_IRWXU) && errno != EEXIST)
		return -1;
	parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0 || fstat(parent, &stat) || !is_ours(&stat))
		return -1;
	folder = open_checked(parent, folder_name);
	if (folder < 0 && !mkdirat(parent, folder_name, S_IRWXU))
		folder = open_checked(parent, folder_name);
	return folder;
}

/** Fills @data; false if the file changes meanwhile. */
static bool read_whole(int fd, uint8_t *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, data + done, size - done, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

uint8_t *cache_folder_read(int folder, const char *name, size_t *size_ret)
{
	cleanup_close int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	cleanup_free uint8_t *data = NULL;
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat) || !S_ISREG(stat.st_mode) || !is_ours(&stat) ||
		stat.st_size <= 0 || stat.st_size > CACHE_FILE_MAX)
		return NULL;
	*size_ret = (size_t)stat.st_size;
	data = xmalloc(*size_ret);
	if (!read_whole(fd, data, *size_ret))
		return NULL;
	if (time(NULL) - stat.st_mtime > MARK_SECONDS)
		futimens(fd, NULL);
	return take_ptr(data);
}

void cache_folder_write(int folder, const char *name, const void *data, size_t size)
{
	cleanup_free char *temporary = xasprintf("%s%d", unfinished, (int)getpid());
	cleanup_close int fd = -1;

	if (size > CACHE_FILE_MAX)
		return;
	unlinkat(folder, temporary, 0);
	fd = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		S_IRUSR | S_IWUSR);
	if (fd < 0)
		return;
	if (write(fd, data, size) != (ssize_t)size || renameat(folder, temporary, folder, name))
		unlinkat(folder, temporary, 0);
}

struct entry {
	char *name;
	time_t used;
	uint64_t size;
};

/** The ones used last first. */
static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->used != b->used)
		return a->used > b->used ? -1 : 1;
	return strcmp(a->name, b->name);
}

void cache_folder_prune(int folder, uint64_t most)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);
	ARRAY(struct entry) entries = {0};
	const struct dirent *found;
	uint64_t total = 0;

	if (!listing) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((found = readdir(listing)) && entries.count < FILES_MAX) {
		struct stat stat;

		if (fstatat(folder, found->d_name, &stat, AT_SYMLINK_NOFOLLOW) ||
			!S_ISREG(stat.st_mode))
			continue;
		*array_add(&entries) = (struct entry){
			xstrdup(found->d_name), stat.st_mtime, (uint64_t)stat.st_size};
	}
	closedir(listing);
	if (entries.count)
		qsort(entries.data, entries.count, sizeof(entries.data[0]), compare);
	array_for_each (entry, &entries) {
		total += entry->size;
		if (total > most)
			unlinkat(folder, entry->name, 0);
		free(entry->name);
	}
	array_deinit(&entries);
}
