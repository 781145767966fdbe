// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/recorded_maps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "proc/task.h"
#include "unwind/unwind.h"

enum {
	/** Of a process that does nothing but map; what comes then is not kept. */
	MAPS_MOST = 100000,
};

void recorded_maps_deinit(struct recorded_maps *maps)
{
	array_for_each (entry, &maps->list)
		free(entry->name);
	array_deinit(&maps->list);
}

void recorded_maps_copy(struct recorded_maps *to, const struct recorded_maps *from)
{
	recorded_maps_deinit(to);
	array_for_each (entry, &from->list)
		*array_add(&to->list) =
			(struct recorded_map){.map = entry->map, .name = xstrdup(entry->name)};
}

static uint64_t end_of(const struct record_map *map)
{
	return map->start + map->length;
}

static struct recorded_map part_of(const struct recorded_map *entry, uint64_t start, uint64_t end)
{
	struct recorded_map part = {.map = entry->map, .name = xstrdup(entry->name)};

	part.map.start = start;
	part.map.length = end - start;
	part.map.offset += start - entry->map.start;
	return part;
}

// The first mapping that ends behind @address.
static size_t first_behind(const struct recorded_maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_of(&maps->list.data[middle].map) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Puts @count entries in the place of those from @first to @end.
static void replace(struct recorded_maps *maps, size_t first, size_t end,
	const struct recorded_map *entries, size_t count)
{
	size_t behind = maps->list.count - end;

	for (size_t i = first; i < end; i++)
		free(maps->list.data[i].name);
	for (size_t i = end - first; i < count; i++)
		array_add(&maps->list);
	memmove(&maps->list.data[first + count], &maps->list.data[end],
		behind * sizeof(*maps->list.data));
	memcpy(&maps->list.data[first], entries, count * sizeof(*entries));
	maps->list.count = first + count + behind;
}

void recorded_maps_add(struct recorded_maps *maps, const struct record_map *map, const char *name)
{
	struct recorded_map parts[3];
	size_t first = first_behind(maps, map->start), end = first, count = 0;
	const struct recorded_map *list = maps->list.data;

	if (!map->length || map->length > UINT64_MAX - map->start || maps->list.count >= MAPS_MOST)
		return;
	while (end < maps->list.count && list[end].map.start < end_of(map))
		end++;
	if (end > first && list[first].map.start < map->start)
		parts[count++] = part_of(&list[first], list[first].map.start, map->start);
	parts[count++] = (struct recorded_map){.map = *map, .name = xstrdup(name)};
	if (end > first && end_of(&list[end - 1].map) > end_of(map))
		parts[count++] = part_of(&list[end - 1], end_of(map), end_of(&list[end - 1].map));
	replace(maps, first, end, parts, count);
}

static void add_parsed(struct recorded_maps *maps, const struct unwind_map *map)
{
	struct recorded_map entry = {.name = xstrdup(map->name)};

	entry.map = (struct record_map){
		.start = map->start,
		.length = map->end - map->start,
		.offset = map->offset,
		.device_major = major(map->device),
		.device_minor = minor(map->device),
		.inode = map->inode,
		.protection = PROT_READ | (map->is_executable ? PROT_EXEC : 0),
		.flags = MAP_PRIVATE,
	};
	*array_add(&maps->list) = entry;
}

void recorded_maps_read(struct recorded_maps *maps, int tid)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "maps", &length);
	struct maps *parsed = text ? maps_parse(text, length) : NULL;

	if (!parsed)
		return;
	recorded_maps_deinit(maps);
	for (size_t i = 0; i < parsed->count; i++)
		add_parsed(maps, &parsed->data[i]);
	maps_unref(parsed);
}

static void put_line(struct buf *buf, const struct recorded_map *entry)
{
	const struct record_map *map = &entry->map;

	// What has no file is called //anon in records, and has no name in the other list.
	buf_printf(buf, "%llx-%llx %c%c%c%c %08llx %02x:%02x %llu ", (unsigned long long)map->start,
		(unsigned long long)end_of(map), map->protection & PROT_READ ? 'r' : '-',
		map->protection & PROT_WRITE ? 'w' : '-', map->protection & PROT_EXEC ? 'x' : '-',
		map->flags & MAP_SHARED ? 's' : 'p', (unsigned long long)map->offset,
		map->device_major, map->device_minor, (unsigned long long)map->inode);
	for (const char *c = strncmp(entry->name, "//", 2) == 0 ? "" : entry->name; *c; c++) {
		if (*c == '\n')
			buf_string(buf, "\\012");
		else
			buf_char(buf, *c);
	}
	buf_char(buf, '\n');
}

char *recorded_maps_text(const struct recorded_maps *maps, size_t *length_ret)
{
	struct buf text = {0};
	char *copy = NULL;

	array_for_each (entry, &maps->list)
		put_line(&text, entry);
	if (text.length) {
		*length_ret = text.length;
		copy = xstrndup(text.data, text.length);
	}
	buf_deinit(&text);
	return copy;
}
