// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/interval_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

/** Fewer intervals are compared with each other. */
enum { COUNTED_MIN = 128 };

void interval_map_deinit(struct interval_map *map)
{
	array_deinit(&map->intervals);
	array_deinit(&map->segments);
}

void interval_map_add(struct interval_map *map, uint64_t low, uint64_t high, uint32_t value)
{
	uint32_t order = (uint32_t)map->intervals.count;

	if (low < high)
		*array_add(&map->intervals) = (struct interval){low, high, value, order};
}

void interval_map_end(struct interval_map *map, size_t index, uint64_t high)
{
	map->intervals.data[index].high = high;
}

/** Outer before inner. */
static int compare(const void *left, const void *right)
{
	const struct interval *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high > b->high ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static bool is_sorted(const struct interval *intervals, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (compare(&intervals[i - 1], &intervals[i]) > 0)
			return false;
	}
	return true;
}

/** By byte number @byte of where they begin, in the order of @from where that is equal. */
static void sort_by_byte(
	const struct interval *from, struct interval *to, size_t count, unsigned byte)
{
	size_t starts[256] = {0}, start = 0;

	for (size_t i = 0; i < count; i++)
		starts[from[i].low >> 8 * byte & 0xff]++;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t size = starts[i];

		starts[i] = start;
		start += size;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[from[i].low >> 8 * byte & 0xff]++] = from[i];
}

/** Byte by byte, and by comparing only where several begin at the same address. */
static void sort(struct interval_map *map)
{
	size_t count = map->intervals.count, end;
	struct interval *from = map->intervals.data, *to;
	uint64_t different = 0;

	if (is_sorted(from, count))
		return;
	if (count < COUNTED_MIN) {
		qsort(from, count, sizeof(*from), compare);
		return;
	}
	to = xcalloc(count, sizeof(*to));
	for (size_t i = 1; i < count; i++)
		different |= from[i].low ^ from[0].low;
	for (unsigned byte = 0; byte < sizeof(different); byte++) {
		struct interval *sorted = to;

		if (!(different >> 8 * byte & 0xff))
			continue;
		sort_by_byte(from, to, count, byte);
		to = from;
		from = sorted;
	}
	free(to);
	map->intervals.data = from;
	map->intervals.capacity = count;
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && from[end].low == from[i].low;)
			end++;
		if (!is_sorted(from + i, end - i))
			qsort(from + i, end - i, sizeof(*from), compare);
	}
}

static void mark(struct interval_map *map, uint64_t start, uint32_t value)
{
	size_t count = map->segments.count;

	if (count && map->segments.data[count - 1].start == start)
		map->segments.data[count - 1].value = value;
	else
		*array_add(&map->segments) = (struct interval_segment){start, value};
}

void interval_map_seal(struct interval_map *map)
{
	ARRAY(const struct interval *) open = {0};

	sort(map);
	for (size_t i = 0; i <= map->intervals.count; i++) {
		const struct interval *next =
			i < map->intervals.count ? &map->intervals.data[i] : NULL;

		while (open.count && (!next || open.data[open.count - 1]->high <= next->low)) {
			uint64_t end = open.data[--open.count]->high;

			// Those around it may end earlier: intervals need not nest.
			while (open.count && open.data[open.count - 1]->high <= end)
				open.count--;
			mark(map, end,
				open.count ? open.data[open.count - 1]->value : INTERVAL_NONE);
		}
		if (next) {
			mark(map, next->low, next->value);
			*array_add(&open) = next;
		}
	}
	array_deinit(&open);
	array_deinit(&map->intervals);
}

uint32_t interval_map_find(const struct interval_map *map, uint64_t address)
{
	size_t low = 0, high = map->segments.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->segments.data[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? map->segments.data[low - 1].value : INTERVAL_NONE;
}
