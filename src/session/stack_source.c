// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/stack_source.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "proc/mem.h"
#include "proc/task.h"
#include "unwind/maps.h"

size_t stack_source_read(void *context, taddr address, void *data, size_t size)
{
	struct stack_source *source = context;

	return mem_read(source->mem, address, data, size);
}

char *stack_source_maps(void *context, size_t *length_ret)
{
	struct stack_source *source = context;

	char *text = task_file(source->mem->tid, "maps", length_ret);

	// Of a process that is on its way out nothing is left, but what was known still helps.
	if (text && !*length_ret) {
		free(text);
		return NULL;
	}
	return text;
}

int stack_source_open(
	void *context, const struct unwind_map *map, unsigned attempt, char **tried_ret)
{
	struct stack_source *source = context;
	char *path;
	int fd;

	if (!map->path)
		attempt = UINT_MAX;
	switch (attempt) {
	case 0:
		path = xasprintf("/proc/%d/map_files/%llx-%llx", source->mem->tid,
			(unsigned long long)map->start, (unsigned long long)map->end);
		break;
	case 1:
		path = xasprintf("/proc/%d/root%s", source->mem->tid, map->path);
		break;
	case 2:
		path = xstrdup(map->path);
		break;
	default:
		*tried_ret = NULL;
		return -2;
	}
	// O_NONBLOCK: a FIFO under that name must not hold us.
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	*tried_ret = path;
	return fd;
}

static bool same_link(struct arena *arena, int tid, const char *name)
{
	const char *theirs = task_link(arena, tid, name);
	const char *ours = task_link(arena, getpid(), name);

	return theirs && ours && strcmp(theirs, ours) == 0;
}

const char *stack_source_root(void *context)
{
	struct stack_source *source = context;
	int tid = source->mem->tid;

	if (same_link(source->arena, tid, "root") && same_link(source->arena, tid, "ns/mnt"))
		return NULL;
	return arena_printf(source->arena, "/proc/%d/root", tid);
}

const struct unwind_source_ops stack_source_ops = {
	.read = stack_source_read,
	.maps = stack_source_maps,
	.open_file = stack_source_open,
	.root = stack_source_root,
};
