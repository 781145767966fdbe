// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/module/space.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/frame/arch.h"
#include "unwind/maps.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/module/perf_map.h"

struct unwind_space *unwind_space_create(struct unwind_context *context, enum unwind_arch arch)
{
	struct unwind_space *space = xcalloc(1, sizeof(*space));

	space->context = context;
	space->arch = arch;
	space->maps_changed = true;
	return space;
}

struct unwind_space *unwind_space_fork(const struct unwind_space *space)
{
	struct unwind_space *fork = xcalloc(1, sizeof(*fork));

	*fork = *space;
	fork->engine = NULL;
	if (space->maps)
		maps_ref(space->maps);
	if (space->perf_map)
		fork->perf_map = perf_map_fork(space->perf_map);
	fork->ranges = xcalloc(space->count, sizeof(*space->ranges));
	if (space->count)
		memcpy(fork->ranges, space->ranges, space->count * sizeof(*space->ranges));
	return fork;
}

void unwind_space_destroy(struct unwind_space *space)
{
	if (!space)
		return;
	maps_unref(space->maps);
	perf_map_unref(space->perf_map);
	if (space->engine)
		space->engine->destroy(space->engine);
	free(space->ranges);
	free(space);
}

void unwind_space_maps_changed(struct unwind_space *space)
{
	space->maps_changed = true;
}

void unwind_space_range_changed(struct unwind_space *space, taddr start, uint64_t length)
{
	// Also those that wrap around: no need to be exact then.
	taddr end = length > UINT64_MAX - start ? UINT64_MAX : start + length;

	for (size_t i = 0; i < space->count && !space->maps_changed; i++)
		space->maps_changed = space->ranges[i].start < end && space->ranges[i].end > start;
}

void unwind_space_code_added(struct unwind_space *space)
{
	space->code_added = true;
}

void unwind_space_set_unwatched(struct unwind_space *space, bool is_unwatched)
{
	space->is_unwatched = is_unwatched;
}

static bool is_same_line(const struct unwind_map *a, const struct unwind_map *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->device == b->device && a->inode == b->inode && !strcmp(a->name, b->name);
}

/** Takes over what is known about ranges that are in @old (of @old_maps) as well. */
static void carry_over(struct unwind_space *space, const struct space_range *old, size_t old_count,
	const struct maps *old_maps)
{
	size_t j = 0;

	for (size_t i = 0; i < space->count; i++) {
		struct space_range *range = &space->ranges[i];

		while (j < old_count && old[j].start < range->start)
			j++;
		if (j == old_count)
			return;
		if (old[j].state == SPACE_RANGE_NEW ||
			!is_same_line(&space->maps->data[range->map], &old_maps->data[old[j].map]))
			continue;
		range->state = SPACE_RANGE_OLD;
		range->name = old[j].name;
		range->mapping = old[j].mapping;
	}
}

static void list_ranges(struct unwind_space *space)
{
	size_t count = 0;

	for (size_t i = 0; i < space->maps->count; i++)
		count += space->maps->data[i].is_executable;
	space->ranges = xcalloc(count, sizeof(*space->ranges));
	space->count = 0;
	for (size_t i = 0; i < space->maps->count; i++) {
		const struct unwind_map *map = &space->maps->data[i];

		if (map->is_executable)
			space->ranges[space->count++] = (struct space_range){
				.start = map->start, .end = map->end, .map = i};
	}
}

static bool reread(struct unwind_space *space, const struct unwind_source *source)
{
	struct maps *old_maps = space->maps;
	cleanup_free struct space_range *old = space->ranges;
	cleanup_free char *text = NULL;
	size_t old_count = space->count, length;

	text = source->ops->maps(source->context, &length);
	if (!text) {
		old = NULL;
		return space->maps != NULL;
	}
	space->context->maps_reads++;
	space->generation++;
	space->last_read = space->walks;
	space->maps_changed = space->code_added = false;
	space->miss_count = 0;
	space->last = 0;
	space->maps = maps_parse(text, length);
	list_ranges(space);
	if (old_maps)
		carry_over(space, old, old_count, old_maps);
	maps_unref(old_maps);
	return true;
}

bool space_update(struct unwind_space *space, const struct unwind_source *source)
{
	space->walks++;
	return (space->maps && !space->maps_changed) || reread(space, source);
}

static bool holds(const struct space_range *range, taddr address)
{
	return address >= range->start && address < range->end;
}

static struct space_range *search(struct unwind_space *space, taddr address)
{
	size_t low = 0, high = space->count;

	if (space->last < space->count && holds(&space->ranges[space->last], address))
		return &space->ranges[space->last];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->ranges[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == space->count || !holds(&space->ranges[low], address))
		return NULL;
	space->last = low;
	return &space->ranges[low];
}

static void resolve(
	struct unwind_space *space, const struct unwind_source *source, struct space_range *range)
{
	const struct unwind_map *map = &space->maps->data[range->map];

	const struct unwind_module *module = range->mapping.module;
	bool is_closed = module && module->is_closed;

	if (range->state == SPACE_RANGE_READY && !is_closed)
		return;
	if (is_closed || range->state == SPACE_RANGE_NEW ||
		!mapping_is_valid(&range->mapping, source)) {
		mapping_resolve(space->context, source, space->maps, map, &range->mapping);
		range->name = context_string(space->context, map->name);
	}
	range->state = SPACE_RANGE_READY;
}

static bool is_known_miss(const struct unwind_space *space, taddr address)
{
	for (size_t i = 0; i < space->miss_count && i < SPACE_MISSES; i++) {
		if (space->misses[i] == address)
			return true;
	}
	return false;
}

// Whether what is known of the range may be used in this walk.
static bool is_current(
	struct unwind_space *space, const struct unwind_source *source, struct space_range *range)
{
	if (!space->is_unwatched || space->last_read == space->walks ||
		range->checked == space->walks)
		return true;
	if (!source->ops->is_mapped ||
		!source->ops->is_mapped(source->context, &space->maps->data[range->map]))
		return false;
	range->checked = space->walks;
	// Another file may have come there under the number of one that is gone.
	if (range->state == SPACE_RANGE_READY)
		range->state = SPACE_RANGE_OLD;
	return true;
}

const struct space_range *space_find(struct unwind_space *space, const struct unwind_source *source,
	taddr address, bool *may_reread)
{
	struct space_range *range = search(space, address);

	if (range && !is_current(space, source, range)) {
		if (!*may_reread)
			return NULL;
		*may_reread = false;
		reread(space, source);
		range = search(space, address);
	}
	// A stack that always ends at the same bad address must not cost a reading each time.
	if (!range && (space->code_added || (*may_reread && !is_known_miss(space, address)))) {
		*may_reread &= space->code_added;
		space->code_added = false;
		reread(space, source);
		range = search(space, address);
		if (!range)
			space->misses[space->miss_count++ % SPACE_MISSES] = address;
	}
	if (range)
		resolve(space, source, range);
	return range;
}

static void find_generated_name(struct unwind_space *space, const struct unwind_source *source,
	taddr pc, struct unwind_frame *frame)
{
	const char *name;

	if (!space->perf_map)
		space->perf_map = perf_map_create();
	name = perf_map_find(space->perf_map, source, pc, &frame->generated_start);
	if (name)
		frame->generated_name = context_string(space->context, name);
}

/** Of memory that belongs to a file, but is no code of a module. */
static void place_in_file(
	struct unwind_space *space, const struct unwind_map *map, struct unwind_frame *frame)
{
	if (!map->inode || !map->path)
		return;
	frame->path = context_string(space->context, map->path);
	frame->file_offset = frame->pc - map->start + map->offset;
}

/** Whether what the maps say of @address, which is in @map or (NULL) nowhere, may be outdated. */
static bool is_outdated(const struct unwind_space *space, const struct unwind_source *source,
	const struct unwind_map *map, taddr address)
{
	uint8_t byte;

	// Nobody tells of changes where there is no code.
	if (!space->maps || space->last_read == space->walks)
		return false;
	if (!map && source->ops->is_free)
		return !source->ops->is_free(source->context, address);
	if (!map)
		return source->ops->read(source->context, address, &byte, 1) == 1;
	return source->ops->is_mapped && !source->ops->is_mapped(source->context, map);
}

/** Where @frame is that is in no executable mapping. */
static void locate_data(struct unwind_space *space, const struct unwind_source *source, taddr pc,
	struct unwind_frame *frame)
{
	const struct unwind_map *map = space->maps ? maps_find(space->maps, pc) : NULL;

	if (is_outdated(space, source, map, pc)) {
		reread(space, source);
		map = maps_find(space->maps, pc);
	}
	frame->is_unmapped = space->maps && !map;
	if (!map)
		return;
	frame->map_name = context_string(space->context, map->name);
	place_in_file(space, map, frame);
}

bool space_locate(struct unwind_space *space, const struct unwind_source *source, bool *may_reread,
	struct unwind_frame *frame)
{
	taddr pc = frame_lookup_pc(frame->address, frame->pc);
	const struct space_range *range = space_find(space, source, pc, may_reread);

	if (!range) {
		locate_data(space, source, pc, frame);
		return false;
	}
	frame->map_name = range->name;
	frame->module = range->mapping.module;
	if (!frame->module) {
		place_in_file(space, &space->maps->data[range->map], frame);
		find_generated_name(space, source, pc, frame);
		return true;
	}
	frame->path = range->mapping.path;
	frame->module_pc = arch_truncate(arch_get(space->arch), frame->pc - range->mapping.bias);
	frame->file_offset = frame->pc - range->start + range->mapping.offset;
	return true;
}
