// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_MEMORY_SOURCE_H
#define TESTS_UNIT_MEMORY_SOURCE_H

/** An unwind source of one readable stretch of memory and a text of maps. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "unwind/source.h"

struct memory_source {
	taddr start;
	size_t size;
	const void *data;
	/** NULL: no maps to be had. */
	const char *maps;
	/** Calls of each kind. */
	unsigned reads, maps_reads, map_checks;
	/** What to answer whether a mapping is still there. */
	bool is_mapped;
};

static inline size_t memory_source_read(void *context, taddr address, void *data, size_t size)
{
	struct memory_source *memory = context;

	memory->reads++;
	if (address < memory->start || address - memory->start >= memory->size)
		return 0;
	if (size > memory->size - (address - memory->start))
		size = memory->size - (size_t)(address - memory->start);
	memcpy(data, (const char *)memory->data + (address - memory->start), size);
	return size;
}

static inline char *memory_source_maps(void *context, size_t *length_ret)
{
	struct memory_source *memory = context;

	memory->maps_reads++;
	if (!memory->maps)
		return NULL;
	*length_ret = strlen(memory->maps);
	return xstrdup(memory->maps);
}

static inline bool memory_source_is_mapped(void *context, const struct unwind_map *map)
{
	struct memory_source *memory = context;

	(void)map;
	memory->map_checks++;
	return memory->is_mapped;
}

static inline bool memory_source_open(
	void *context, const struct unwind_map *map, unsigned attempt, struct unwind_candidate *ret)
{
	(void)context;
	(void)map;
	(void)attempt;
	(void)ret;
	return false;
}

static const struct unwind_source_ops memory_source_ops = {
	.read = memory_source_read,
	.maps = memory_source_maps,
	.is_mapped = memory_source_is_mapped,
	.open_file = memory_source_open,
};

#endif
