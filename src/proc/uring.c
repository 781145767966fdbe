// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/uring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "proc/task.h"

enum {
	/** IORING_OFF_SQES: where in the ring's file its entries are. */
	ENTRIES_OFFSET = 0x10000000,
	ENTRY_SIZE = 64,
};

static bool field(const char *text, const char *name, long long *ret)
{
	const char *at = strstr(text, name);

	return at && sscanf(at + strlen(name), "%lld", ret) == 1;
}

// Where the task has mapped the entries of the ring whose inode is @inode; 0 if nowhere.
static taddr find_entries(int tid, unsigned long long inode, uint64_t *size_ret)
{
	size_t length;
	cleanup_free char *maps = task_file(tid, "maps", &length);

	for (const char *line = maps; line && *line; line = strchr(line, '\n')) {
		unsigned long long start, end, offset, found;

		line += *line == '\n';
		if (sscanf(line, "%llx-%llx %*s %llx %*s %llu", &start, &end, &offset, &found) ==
				4 &&
			found == inode && offset == ENTRIES_OFFSET) {
			*size_ret = end - start;
			return start;
		}
	}
	return 0;
}

bool uring_read(int tid, int fd, struct uring *ret)
{
	char name[32];
	size_t length;
	uint64_t size;
	long long inode, thread, waiting;
	const char *line;
	taddr entries;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	cleanup_free char *text = task_file(tid, name, &length);

	*ret = (struct uring){0};
	if (!text || !field(text, "\nino:", &inode) || !field(text, "\nSqThread:", &thread))
		return false;
	ret->polled = thread >= 0;
	line = strstr(text, "\nSQEs:");
	if (!line || !field(text, "\nSQEs:", &waiting))
		return ret->polled;
	entries = find_entries(tid, (unsigned long long)inode, &size);
	line = strchr(line + 1, '\n');
	while (entries && line && ret->count < URING_ENTRIES_MAX) {
		unsigned index;
		int end = 0;

		if (sscanf(line, "\n%u: opcode:%n", &index, &end) != 1 || !end)
			break;
		if ((uint64_t)index * ENTRY_SIZE + ENTRY_SIZE <= size)
			ret->entries[ret->count++] = entries + (taddr)index * ENTRY_SIZE;
		line = strchr(line + 1, '\n');
	}
	return true;
}
