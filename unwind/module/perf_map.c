// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/module/perf_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/monotonic.h"
#include "base/parse.h"

enum {
	/** Bytes of a file that are read; a large server's map has about 10 MiB. */
	FILE_MAX = 128 * 1024 * 1024,
	/** Longer names are cut. */
	NAME_MAX = 4096,
	PIECE = 64 * 1024,
	/** Bytes before the end of what was read, to see whether the file was written anew. */
	MARK_SIZE = 64,
	/** Looking for a file that is not there takes at most this part of the time. */
	RETRY_PART = 16,
};

struct entry {
	taddr start;
	uint64_t size;
	/** Lines counted from 1: the later one wins. */
	uint64_t line;
	/** Offset in the names. */
	size_t name;
};

struct entries {
	ARRAY(struct entry) list;
};

struct perf_map {
	unsigned references;
	struct perf_map *parent;
	int fd;
	/** CLOCK_MONOTONIC, nanoseconds: not before that time is the file looked for again. */
	uint64_t next_try;
	/** Bytes read, and the last of them; a line without end is in @rest. */
	uint64_t consumed;
	char mark[MARK_SIZE];
	struct buf rest;
	uint64_t lines;
	/** NUL-terminated one after the other. */
	struct buf names;
	/** Sorted, without overlaps. */
	struct entries known;
};

struct perf_map *perf_map_create(void)
{
	struct perf_map *map = xcalloc(1, sizeof(*map));

	map->references = 1;
	map->fd = -1;
	return map;
}

struct perf_map *perf_map_fork(struct perf_map *parent)
{
	struct perf_map *map = perf_map_create();

	// A chain of forks that never write a file must not grow.
	while (parent && !parent->known.list.count)
		parent = parent->parent;
	map->parent = parent ? perf_map_ref(parent) : NULL;
	return map;
}

struct perf_map *perf_map_ref(struct perf_map *map)
{
	map->references++;
	return map;
}

static void forget(struct perf_map *map)
{
	buf_deinit(&map->rest);
	buf_deinit(&map->names);
	array_deinit(&map->known.list);
	map->consumed = 0;
	map->lines = 0;
}

void perf_map_unref(struct perf_map *map)
{
	while (map && !--map->references) {
		struct perf_map *parent = map->parent;

		forget(map);
		if (map->fd >= 0)
			close(map->fd);
		free(map);
		map = parent;
	}
}

static bool parse_number(const char **cursor, uint64_t *ret)
{
	while (**cursor == ' ' || **cursor == '\t')
		++*cursor;
	if ((*cursor)[0] == '0' && ((*cursor)[1] == 'x' || (*cursor)[1] == 'X'))
		*cursor += 2;
	return parse_hex_at(cursor, ret) && (**cursor == ' ' || **cursor == '\t');
}

/** @text is NUL-terminated in place of its newline. */
static void parse_line(struct perf_map *map, const char *text, struct entries *added)
{
	const char *cursor = text;
	struct entry entry;
	size_t length;

	map->lines++;
	if (!parse_number(&cursor, &entry.start) || !parse_number(&cursor, &entry.size) ||
		!entry.size || entry.size > UINT64_MAX - entry.start)
		return;
	while (*cursor == ' ' || *cursor == '\t')
		cursor++;
	length = strcspn(cursor, "\r");
	if (!length)
		return;
	if (length > NAME_MAX)
		length = NAME_MAX;
	entry.line = map->lines;
	entry.name = map->names.length;
	buf_bytes(&map->names, cursor, length);
	buf_char(&map->names, '\0');
	*array_add(&added->list) = entry;
}

static void parse_piece(struct perf_map *map, struct entries *added)
{
	char *at = map->rest.data, *end = map->rest.data + map->rest.length, *newline;

	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		*newline = '\0';
		parse_line(map, at, added);
		at = newline + 1;
	}
	map->rest.length = (size_t)(end - at);
	// A line that never ends is no line.
	if (map->rest.length > PIECE)
		map->rest.length = 0;
	memmove(map->rest.data, at, map->rest.length);
}

static void remember_mark(struct perf_map *map, const char *piece, size_t size)
{
	if (size >= MARK_SIZE) {
		memcpy(map->mark, piece + size - MARK_SIZE, MARK_SIZE);
		return;
	}
	memmove(map->mark, map->mark + size, MARK_SIZE - size);
	memcpy(map->mark + MARK_SIZE - size, piece, size);
}

/** Whether the file still ends, where we stopped, as it did then. */
static bool is_continued(const struct perf_map *map)
{
	size_t size = map->consumed < MARK_SIZE ? (size_t)map->consumed : MARK_SIZE;
	char now[MARK_SIZE];

	return pread(map->fd, now, size, (off_t)(map->consumed - size)) == (ssize_t)size &&
	       !memcmp(now, map->mark + MARK_SIZE - size, size);
}

static void read_more(struct perf_map *map, struct entries *added)
{
	while (map->consumed < FILE_MAX) {
		char *at = buf_reserve(&map->rest, PIECE);
		ssize_t got = pread(map->fd, at, PIECE, (off_t)map->consumed);

		if (got <= 0)
			return;
		remember_mark(map, at, (size_t)got);
		map->consumed += (uint64_t)got;
		map->rest.length += (size_t)got;
		parse_piece(map, added);
	}
}

static int compare(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->line < right->line ? -1 : left->line > right->line;
}

/** Appends @entry, which starts not before the last one. Of two that overlap the later lives. */
static void append(struct entries *to, const struct entry *entry)
{
	while (to->list.count) {
		const struct entry *last = &to->list.data[to->list.count - 1];

		if (entry->start - last->start >= last->size)
			break;
		if (last->line > entry->line)
			return;
		to->list.count--;
	}
	*array_add(&to->list) = *entry;
}

static void merge(struct perf_map *map, struct entries *added)
{
	struct entries merged = {0};
	const struct entry *old = map->known.list.data, *new = added->list.data;
	const struct entry *old_end = old + map->known.list.count, *new_end;

	if (!added->list.count)
		return;
	qsort(added->list.data, added->list.count, sizeof(*new), compare);
	new_end = new + added->list.count;
	while (old < old_end || new < new_end) {
		bool is_old = new == new_end || (old < old_end && compare(old, new) < 0);

		append(&merged, is_old ? old++ : new ++);
	}
	array_deinit(&map->known.list);
	map->known = merged;
}

static bool open_file(struct perf_map *map, const struct unwind_source *source)
{
	uint64_t time;

	if (!source->ops->open_perf_map)
		return false;
	time = monotonic_ns();
	if (time < map->next_try)
		return false;
	map->fd = source->ops->open_perf_map(source->context);
	map->next_try = monotonic_ns();
	map->next_try += (map->next_try - time) * RETRY_PART;
	return map->fd >= 0;
}

static void update(struct perf_map *map, const struct unwind_source *source)
{
	struct entries added = {0};
	struct stat stat;

	if (map->fd < 0 && !open_file(map, source))
		return;
	if (fstat(map->fd, &stat) || !stat.st_nlink) {
		// What was known stays known until there is another file.
		close(map->fd);
		map->fd = -1;
		if (!open_file(map, source) || fstat(map->fd, &stat))
			return;
		forget(map);
	}
	if ((uint64_t)stat.st_size == map->consumed)
		return;
	if ((uint64_t)stat.st_size < map->consumed || !is_continued(map))
		forget(map);
	read_more(map, &added);
	merge(map, &added);
	array_deinit(&added.list);
}

static const struct entry *search(const struct perf_map *map, taddr address)
{
	size_t low = 0, high = map->known.list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->known.list.data[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low ||
		address - map->known.list.data[low - 1].start >= map->known.list.data[low - 1].size)
		return NULL;
	return &map->known.list.data[low - 1];
}

const char *perf_map_find(
	struct perf_map *map, const struct unwind_source *source, taddr address, taddr *start_ret)
{
	update(map, source);
	for (; map; map = map->parent) {
		const struct entry *entry = search(map, address);

		if (entry) {
			*start_ret = entry->start;
			return map->names.data + entry->name;
		}
	}
	return NULL;
}
