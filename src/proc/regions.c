// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/regions.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "proc/task.h"

/** struct procmap_query of linux/fs.h, Linux 6.11. */
struct query {
	uint64_t size, flags, address;
	uint64_t start, end, vma_flags, page_size, offset, inode;
	uint32_t major, minor, name_size, build_id_size;
	uint64_t name, build_id;
};

_Static_assert(sizeof(struct query) == 104, "layout of the kernel");

enum {
	QUERY_NEXT = 0x10,
	QUERY_FILE_BACKED = 0x20,
};

#define PROCMAP_QUERY _IOWR('f', 17, struct query)

static const char deleted_mark[] = " (deleted)";

void regions_init(struct regions *regions, int tid)
{
	*regions = (struct regions){.tid = tid, .maps = -1};
}

void regions_deinit(struct regions *regions)
{
	if (regions->maps >= 0)
		close(regions->maps);
	buf_deinit(&regions->text);
}

static bool open_maps(struct regions *regions)
{
	char path[32];

	if (regions->maps >= 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/maps", regions->tid);
	regions->maps = open(path, O_RDONLY | O_CLOEXEC);
	return regions->maps >= 0;
}

// Gone files keep the mark in their name; their inode has none in a file called so.
static void cut_mark(char *name)
{
	size_t length = strlen(name), mark = strlen(deleted_mark);

	if (length > mark && strcmp(name + length - mark, deleted_mark) == 0)
		name[length - mark] = '\0';
}

static bool ask(struct regions *regions, taddr address, taddr end, struct region *ret)
{
	struct query query = {
		.size = sizeof(query),
		.flags = QUERY_NEXT | QUERY_FILE_BACKED,
		.address = address,
		.name_size = PATH_MAX,
	};

	buf_reset(&regions->text);
	query.name = (uint64_t)(uintptr_t)buf_reserve(&regions->text, PATH_MAX);
	if (ioctl(regions->maps, PROCMAP_QUERY, &query) != 0 || query.start >= end)
		return false;
	if (!query.name_size)
		regions->text.data[0] = '\0';
	cut_mark(regions->text.data);
	*ret = (struct region){
		query.start, query.end, query.major, query.minor, query.inode, regions->text.data};
	return true;
}

static bool parse_line(char *line, struct region *ret)
{
	unsigned long long start, end, inode;
	int name = 0;

	if (sscanf(line, "%llx-%llx %*s %*x %x:%x %llu %n", &start, &end, &ret->major, &ret->minor,
		    &inode, &name) < 5)
		return false;
	ret->start = start;
	ret->end = end;
	ret->inode = inode;
	ret->name = name ? line + name : "";
	if (name)
		cut_mark(line + name);
	return true;
}

static bool search(struct regions *regions, taddr address, taddr end, struct region *ret)
{
	size_t length;
	char *text = task_file(regions->tid, "maps", &length);
	char *line = text;

	buf_deinit(&regions->text);
	if (!text)
		return false;
	regions->text = (struct buf){text, length, length + 1};
	while (line && *line) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		if (parse_line(line, ret) && ret->inode && ret->end > address && ret->start < end)
			return true;
		line = next;
	}
	return false;
}

// Whether the kernel knows the question: it says ENOTTY if not, ENOENT if nothing is there.
static bool can_ask(struct regions *regions)
{
	struct query query = {.size = sizeof(query), .flags = QUERY_NEXT};

	if (!open_maps(regions))
		return false;
	if (!regions->read_whole && ioctl(regions->maps, PROCMAP_QUERY, &query) != 0)
		regions->read_whole = true;
	return !regions->read_whole;
}

bool regions_next(struct regions *regions, taddr address, taddr end, struct region *ret)
{
	if (regions->maps < 0 && !can_ask(regions))
		regions->read_whole = true;
	return regions->read_whole ? search(regions, address, end, ret)
				   : ask(regions, address, end, ret);
}

bool regions_told(const struct regions *regions)
{
	return regions->read_whole ? regions->text.data != NULL : regions->maps >= 0;
}
