// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/regions.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proc/map_query.h"
#include "proc/task.h"

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
	if (regions->maps < 0)
		regions->maps = map_query_open(regions->tid);
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
	struct map_answer map;
	char *name;

	buf_reset(&regions->text);
	name = buf_reserve(&regions->text, PATH_MAX);
	if (!map_query(regions->maps, address, MAP_QUERY_NEXT | MAP_QUERY_FILE, name, PATH_MAX,
		    &map) ||
		map.start >= end)
		return false;
	cut_mark(name);
	*ret = (struct region){map.start, map.end, map.major, map.minor, map.inode, name};
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
	struct map_answer map;

	if (!open_maps(regions))
		return false;
	if (!regions->read_whole && !map_query(regions->maps, 0, MAP_QUERY_NEXT, NULL, 0, &map))
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
