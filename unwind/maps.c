// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/maps.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/parse.h"

static const char deleted_mark[] = " (deleted)";

/** The kernel writes a newline in a path as \012 (seq_file_path() in fs/proc/task_mmu.c). */
static char *unescape(struct arena *arena, const char *text, size_t length)
{
	char *name = arena_strndup(arena, text, length);
	char *to = name;

	for (const char *from = name; *from; to++) {
		if (!strncmp(from, "\\012", 4)) {
			*to = '\n';
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return name;
}

static void set_name(
	struct maps *maps, struct unwind_map *map, const char *text, const char *text_end)
{
	size_t length, mark = sizeof(deleted_mark) - 1;

	while (text < text_end && *text == ' ')
		text++;
	map->name = text == text_end ? "" : unescape(&maps->arena, text, (size_t)(text_end - text));
	if (map->name[0] != '/')
		return;
	map->path = map->name;
	length = strlen(map->name);
	if (length > mark && !strcmp(map->name + length - mark, deleted_mark)) {
		map->is_deleted = true;
		map->path = arena_strndup(&maps->arena, map->name, length - mark);
	}
}

static bool skip(const char **cursor, char wanted)
{
	if (**cursor != wanted)
		return false;
	++*cursor;
	return true;
}

/** @line is NUL-terminated at @line_end. */
static bool parse_line(
	struct maps *maps, const char *line, const char *line_end, struct unwind_map *map)
{
	uint64_t major_number, minor_number;
	const char *cursor = line;

	if (!parse_hex_at(&cursor, &map->start) || !skip(&cursor, '-') ||
		!parse_hex_at(&cursor, &map->end) || !skip(&cursor, ' '))
		return false;
	if (line_end - cursor < 5 || cursor[4] != ' ')
		return false;
	map->is_executable = cursor[2] == 'x';
	cursor += 5;
	if (!parse_hex_at(&cursor, &map->offset) || !skip(&cursor, ' ') ||
		!parse_hex_at(&cursor, &major_number) || !skip(&cursor, ':') ||
		!parse_hex_at(&cursor, &minor_number) || !skip(&cursor, ' ') ||
		!parse_decimal_at(&cursor, &map->inode))
		return false;
	map->device = makedev((unsigned)major_number, (unsigned)minor_number);
	set_name(maps, map, cursor, line_end);
	return map->start < map->end;
}

struct maps *maps_parse(const char *text, size_t length)
{
	struct maps *maps = xcalloc(1, sizeof(*maps));
	char *copy = xstrndup(text, length);
	const char *end = copy + strlen(copy);
	ARRAY(struct unwind_map) list = {0};

	maps->references = 1;
	for (char *line = copy; line < end;) {
		char *line_end = strchrnul(line, '\n');
		struct unwind_map map = {0};
		taddr last = list.count ? list.data[list.count - 1].end : 0;

		*line_end = '\0';
		if (parse_line(maps, line, line_end, &map) && map.start >= last)
			*array_add(&list) = map;
		line = line_end + 1;
	}
	free(copy);
	maps->data = list.data;
	maps->count = list.count;
	return maps;
}

struct maps *maps_ref(struct maps *maps)
{
	maps->references++;
	return maps;
}

void maps_unref(struct maps *maps)
{
	if (!maps || --maps->references)
		return;
	arena_deinit(&maps->arena);
	free(maps->data);
	free(maps);
}

const struct unwind_map *maps_find(const struct maps *maps, taddr address)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->data[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == maps->count || maps->data[low].start > address)
		return NULL;
	return &maps->data[low];
}
