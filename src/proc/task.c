// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/task.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"

/** Bytes of a page where tables have offsets in pages. */
enum { PAGE = 4096 };

char *task_file(int tid, const char *name, size_t *length_ret)
{
	char path[64];
	cleanup_close int fd = -1;
	struct buf text = {0};
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	while ((got = read(fd, buf_reserve(&text, 16384), 16384)) > 0)
		text.length += (size_t)got;
	if (got < 0) {
		buf_deinit(&text);
		return NULL;
	}
	buf_text(&text);
	*length_ret = text.length;
	return text.data;
}

void task_comm(int tid, char comm[TASK_COMM_SIZE])
{
	size_t length;
	cleanup_free char *text = task_file(tid, "comm", &length);

	comm[0] = '\0';
	if (!text)
		return;
	if (length && text[length - 1] == '\n')
		text[--length] = '\0';
	snprintf(comm, TASK_COMM_SIZE, "%s", text);
}

const char *task_link(struct arena *arena, int tid, const char *name)
{
	char path[64], target[PATH_MAX];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	length = readlink(path, target, sizeof(target));
	return length < 0 ? NULL : arena_strndup(arena, target, (size_t)length);
}

/** The value of @type among the entries of words of @word bytes; false if there is none. */
static bool find_auxiliary(
	const char *text, size_t length, size_t word, uint64_t type, uint64_t *ret)
{
	for (size_t at = 0; at + 2 * word <= length; at += 2 * word) {
		uint64_t found = 0;

		*ret = 0;
		memcpy(&found, text + at, word);
		memcpy(ret, text + at + word, word);
		if (found == type)
			return true;
	}
	return false;
}

bool task_start(int tid, taddr *entry_ret, taddr *base_ret)
{
	size_t length, word;
	cleanup_free char *text = task_file(tid, "auxv", &length);
	uint64_t page;

	if (!text)
		return false;
	// The file does not say of which kind of task it is, but each has this entry.
	for (word = 8; word >= 4; word -= 4) {
		if (!find_auxiliary(text, length, word, AT_PAGESZ, &page) || page != PAGE)
			continue;
		if (!find_auxiliary(text, length, word, AT_BASE, base_ret))
			*base_ret = 0;
		return find_auxiliary(text, length, word, AT_ENTRY, entry_ret);
	}
	return false;
}
