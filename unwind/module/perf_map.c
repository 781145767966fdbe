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
	/** Bytes of a file, and lines, that are read; a large server's map has about 10 MiB. */
	FILE_MAX = 64 * 1024 * 1024,
	ENTRIES_MAX = 2 * 1024 * 1024,
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
	/** Lines counted from 1: the later one wins. 0: a later one won. */
	uint32_t line;
	/** Offset in the names; of one that lost: the first of those beside it that lost too. */
	uint32_t name;
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
	uint32_t lines;
	/** NUL-terminated one after the other. */
	struct buf names;
	/**
	 * Each sorted and without overlaps, the later the smaller by half: what is appended to a
	 * large file is merged with little of what is known (a log-structured merge).
	 */
	ARRAY(struct entries) runs;
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
	while (parent && !parent->runs.count)
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
	array_for_each (run, &map->runs)
		array_deinit(&run->list);
	array_deinit(&map->runs);
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
	entry.name = (uint32_t)map->names.length;
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
	while (map->consumed < FILE_MAX && map->lines < ENTRIES_MAX) {
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

/** How many entries begin before @address. */
static size_t count_before(const struct entries *run, uint64_t address)
{
	size_t low = 0, high = run->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (run->list.data[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * Those of @run that overlap @entry, which is later, lose. Neighbours that lost are skipped at
 * once, by the path compression of disjoint sets: the same may be overlapped over and over.
 */
static void beat(struct entries *run, const struct entry *entry)
{
	struct entry *data = run->list.data;
	size_t end = count_before(run, entry->start + entry->size), first = end;

	while (first) {
		struct entry *last = &data[first - 1];

		if (last->line && last->start + last->size <= entry->start)
			break;
		if (last->line) {
			last->line = 0;
			last->name = (uint32_t)(first - 1);
		}
		first = last->name;
	}
	while (end > first) {
		struct entry *last = &data[end - 1];

		end = last->name;
		last->name = (uint32_t)first;
	}
}

/** Two runs, of which nothing overlaps, to one. */
static struct entries join(const struct entries *old, const struct entries *new)
{
	const struct entry *a = old->list.data, *b = new->list.data;
	const struct entry *a_end = a + old->list.count, *b_end = b + new->list.count;
	struct entries joined = {0};

	while (a < a_end || b < b_end) {
		bool is_old = b == b_end || (a < a_end && a->start < b->start);
		const struct entry *next = is_old ? a++ : b++;

		if (next->line)
			*array_add(&joined.list) = *next;
	}
	return joined;
}

static void merge(struct perf_map *map, struct entries *added)
{
	struct entries fresh = {0};

	if (!added->list.count)
		return;
	array_for_each (run, &map->runs) {
		array_for_each (entry, &added->list)
			beat(run, entry);
	}
	qsort(added->list.data, added->list.count, sizeof(*added->list.data), compare);
	array_for_each (entry, &added->list)
		append(&fresh, entry);
	*array_add(&map->runs) = fresh;
	while (map->runs.count > 1) {
		struct entries *new = &map->runs.data[map->runs.count - 1], *old = new - 1, joined;

		if (old->list.count > 2 * new->list.count)
			break;
		joined = join(old, new);
		array_deinit(&old->list);
		array_deinit(&new->list);
		*old = joined;
		map->runs.count--;
	}
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
	array_for_each (run, &map->runs) {
		size_t count = address < UINT64_MAX ? count_before(run, address + 1) : 0;
		const struct entry *entry = count ? &run->list.data[count - 1] : NULL;

		if (entry && entry->line && address - entry->start < entry->size)
			return entry;
	}
	return NULL;
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
