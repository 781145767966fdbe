// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debug_needs.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "unwind/elf/crc32.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"

static const char system_folder[] = "/usr/lib/debug";

static struct elf_file *open_elf(const char *path)
{
	int fd = root_list_open(NULL, ROOT_OWN, path);
	enum lookup_reason reason;

	return fd < 0 ? NULL : elf_file_open(fd, path, &reason);
}

static const char *hex(struct arena *arena, const uint8_t *bytes, size_t size)
{
	char *text = arena_zalloc(arena, 2 * size + 1);

	for (size_t i = 0; i < size; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return text;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/** A name and what is behind its NUL in a section. */
static const char *split_link(const Elf_Data *data, const uint8_t **rest_ret, size_t *size_ret)
{
	const char *name = data ? data->d_buf : NULL;
	const char *end = name ? memchr(name, '\0', data->d_size) : NULL;

	if (!end || end == name)
		return NULL;
	*rest_ret = (const uint8_t *)end + 1;
	*size_ret = data->d_size - (size_t)(end + 1 - name);
	return name;
}

static size_t read_wants(
	const struct elf_file *file, const char *path, struct arena *arena, struct debug_need *ret)
{
	const char *id =
		file->build_id_size ? hex(arena, file->build_id, file->build_id_size) : NULL;
	const char *link;
	const uint8_t *rest;
	bool is_whole = elf_file_has_dwarf(file);
	size_t count = 0, size;
	GElf_Word crc;

	if (id && strlen(id) > 2)
		ret[count++] = (struct debug_need){.by = path,
			.build_id = id,
			.name = arena_printf(arena, "%s.debug", id + 2),
			.is_whole = is_whole};
	link = dwelf_elf_gnu_debuglink(file->elf, &crc);
	if (link && (!count || strcmp(link, ret[0].name) != 0))
		ret[count++] = (struct debug_need){.by = path,
			.build_id = id,
			.name = arena_strndup(arena, link, strlen(link)),
			.crc = crc,
			.is_whole = is_whole};
	link = split_link(elf_file_section_data(file, ".gnu_debugaltlink"), &rest, &size);
	if (link && size > 1 && size <= ELF_BUILD_ID_MAX) {
		link = arena_strndup(arena, link, strlen(link));
		id = hex(arena, rest, size);
		ret[count++] = (struct debug_need){
			.by = path, .build_id = id, .name = base_name(link), .path = link};
		ret[count++] = (struct debug_need){.by = path,
			.build_id = id,
			.name = arena_printf(arena, "%s.debug", id + 2),
			.path = link};
	}
	return count;
}

size_t debug_needs_read(const char *path, struct arena *arena, struct debug_need *ret)
{
	struct elf_file *file = open_elf(path);
	size_t count = file ? read_wants(file, path, arena, ret) : 0;

	elf_file_destroy(file);
	return count;
}

const char *debug_needs_build_id(const char *path, struct arena *arena)
{
	struct elf_file *file = open_elf(path);
	const char *id = file && file->build_id_size
				 ? hex(arena, file->build_id, file->build_id_size)
				 : NULL;

	elf_file_destroy(file);
	return id;
}

static const char *below(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	while (length && folder[length - 1] == '/')
		length--;
	return !strncmp(path, folder, length) && path[length] == '/' ? path + length : NULL;
}

const char *debug_needs_below(const struct unwind_context *context, const char *path)
{
	const char *const *given = context->options.debug_dirs;

	for (; given && *given; given++) {
		const char *rest = below(*given, path);

		if (rest)
			return rest;
	}
	return below(system_folder, path);
}

/** Whether the file at @path is what @need describes. */
static bool satisfies(const struct debug_need *need, const char *path, struct arena *arena)
{
	struct elf_file *file = open_elf(path);
	bool ok = false;
	uint32_t crc;

	if (file && need->build_id) {
		const char *id = hex(arena, file->build_id, file->build_id_size);

		// A stripped file has the same build-id, but nothing to find in it.
		ok = !strcmp(id, need->build_id) && strcmp(path, need->by) != 0;
	} else if (file) {
		ok = crc32_file(file->fd, &crc) && crc == need->crc;
	}
	elf_file_destroy(file);
	return ok;
}

static const char *find_below(
	const char *folder, const struct debug_need *need, struct arena *arena)
{
	const char *path, *slash = strrchr(need->by, '/');

	if (need->build_id) {
		path = arena_printf(arena, "%s/.build-id/%.2s/%s.debug", folder, need->build_id,
			need->build_id + 2);
		if (satisfies(need, path, arena))
			return path;
	}
	path = arena_printf(arena, "%s%.*s/%s", folder, slash ? (int)(slash - need->by) : 0,
		need->by, need->name);
	return satisfies(need, path, arena) ? path : NULL;
}

/** @name counts from the folder of @path, less @above of its last folders. */
static const char *beside(
	const char *path, const char *folder, const char *name, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	return arena_printf(
		arena, "%.*s/%s%s", slash ? (int)(slash - path) : 0, path, folder, name);
}

const char *debug_needs_find(
	const struct unwind_context *context, const struct debug_need *need, struct arena *arena)
{
	const char *const *given = context->options.debug_dirs;
	const char *path = NULL;

	if (need->path)
		path = need->path[0] == '/' ? need->path : beside(need->by, "", need->path, arena);
	if (path && satisfies(need, path, arena))
		return path;
	path = NULL;
	for (; !path && given && *given; given++)
		path = find_below(*given, need, arena);
	if (!path)
		path = find_below(system_folder, need, arena);
	if (!path && satisfies(need, beside(need->by, "", need->name, arena), arena))
		path = beside(need->by, "", need->name, arena);
	if (!path && satisfies(need, beside(need->by, ".debug/", need->name, arena), arena))
		path = beside(need->by, ".debug/", need->name, arena);
	return path;
}
