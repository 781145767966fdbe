// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/mapping.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "unwind/context.h"
#include "unwind/elf_file.h"
#include "unwind/elf_image.h"
#include "unwind/module.h"

enum {
	PAGE = 4096,
	/** Other mappings that may lie between the parts of one file. */
	FOREIGN_MOST = 16,
	/** How often a file that cannot be opened is tried again by other processes. */
	OPEN_ATTEMPTS_MOST = 4,
	/** Candidates that a source may offer. */
	CANDIDATES_MOST = 16,
};

/** The mapping being resolved. */
struct resolver {
	struct unwind_context *context;
	const struct unwind_source *source;
	const struct unwind_map *map;
	/** Of the mapping that holds the ELF header. */
	taddr header;
	uint8_t page[PAGE];
	size_t page_size;
};

/** An elf_read_fn by address. */
static size_t read_process(void *context, uint64_t address, void *data, size_t size)
{
	const struct resolver *resolver = context;
	taddr distance = address - resolver->header;

	if (distance < resolver->page_size && size <= resolver->page_size - distance) {
		memcpy(data, resolver->page + distance, size);
		return size;
	}
	return resolver->source->ops->read(resolver->source->context, address, data, size);
}

/** An elf_read_fn by distance from the ELF header. */
static size_t read_from_header(void *context, uint64_t position, void *data, size_t size)
{
	const struct resolver *resolver = context;

	return read_process(context, resolver->header + position, data, size);
}

static bool is_vdso(const struct unwind_map *map)
{
	return !strcmp(map->name, "[vdso]");
}

/** The mapping of the start of the same file below @map, or @map itself, or NULL. */
static const struct unwind_map *header_map(const struct maps *maps, const struct unwind_map *map)
{
	unsigned foreign = 0;

	if (is_vdso(map))
		return map;
	if (!map->inode)
		return NULL;
	for (const struct unwind_map *at = map; foreign < FOREIGN_MOST; at--) {
		if (at->device != map->device || at->inode != map->inode)
			foreign++;
		else if (!at->offset)
			return at;
		if (at == maps->data)
			break;
	}
	return NULL;
}

/** The file of a module without build-id must be the mapped one in some other way. */
static bool is_same_file(const struct resolver *resolver, const struct elf_file *file)
{
	uint8_t page[PAGE];
	ssize_t size;

	if (file->device == resolver->map->device && file->inode == resolver->map->inode)
		return true;
	// The numbers of overlayfs and btrfs differ between maps and stat.
	size = pread(file->fd, page, resolver->page_size, 0);
	return size > 0 && !memcmp(page, resolver->page, (size_t)size);
}

static const char *refuse(const struct resolver *resolver, const struct module_identity *identity,
	const struct elf_file *file)
{
	if (identity->build_id_size) {
		if (elf_file_has_build_id(file, identity->build_id, identity->build_id_size))
			return NULL;
		return file->build_id_size ? "another build-id" : "no build-id";
	}
	return is_same_file(resolver, file) ? NULL : "another file";
}

/** The first acceptable candidate of the source. Refusals go to @module if there is one yet. */
static struct elf_file *open_file(const struct resolver *resolver,
	const struct module_identity *identity, struct unwind_module *module)
{
	const struct unwind_source *source = resolver->source;

	for (unsigned attempt = 0; attempt < CANDIDATES_MOST; attempt++) {
		cleanup_free char *tried = NULL;
		const char *reason = NULL;
		struct elf_file *file;
		int fd = source->ops->open_file(source->context, resolver->map, attempt, &tried);

		if (fd == -2)
			break;
		if (fd < 0) {
			if (module)
				module_note(module, take_ptr(tried), strerror(errno));
			continue;
		}
		file = elf_file_open(fd, tried ? tried : "", &reason);
		if (file && !(reason = refuse(resolver, identity, file)))
			return file;
		elf_file_destroy(file);
		if (module)
			module_note(module, take_ptr(tried), reason);
	}
	return NULL;
}

static void open_module(const struct resolver *resolver, const struct elf_headers *headers,
	uint64_t bias, struct unwind_module *module)
{
	const struct unwind_source *source = resolver->source;
	struct elf_file *file = NULL;
	const char *reason;

	module_use(module);
	if (!module->file)
		module_make_room(resolver->context);
	if ((module->file && !module->file_is_image) || is_vdso(resolver->map)) {
		if (module->file)
			return;
	} else if (module->open_attempts < OPEN_ATTEMPTS_MOST) {
		module->open_attempts++;
		module->root = root_list_add(&resolver->context->roots,
			source->ops->root ? source->ops->root(source->context) : NULL);
		file = open_file(resolver, &module->identity, module);
	}
	if (file) {
		module_set_file(module, file, /* is_image= */ false);
		return;
	}
	if (module->file)
		return;
	if (is_vdso(resolver->map))
		file = elf_image_read(source, resolver->map->start,
			resolver->map->end - resolver->map->start, module->path, &reason);
	else
		file = elf_image_copy(headers, bias, source, module->path, &reason);
	if (file)
		module_set_file(module, file, /* is_image= */ !is_vdso(resolver->map));
	else
		module_note(module, xstrdup("copy from memory"), reason);
}

/** The name by which people know the file: without the mark of deletion. */
static const char *path_of(const struct unwind_map *map)
{
	return map->path ? map->path : map->name;
}

static struct unwind_module *get_module(
	struct resolver *resolver, const struct module_identity *identity)
{
	struct unwind_module *module = module_find(resolver->context, identity);

	if (!module)
		module = module_create(resolver->context, identity, path_of(resolver->map));
	return module;
}

static void resolve_by_memory(struct resolver *resolver, struct mapping *ret)
{
	const struct unwind_map *map = resolver->map;
	struct module_identity identity = {.device = map->device, .inode = map->inode};
	struct elf_headers headers;
	uint64_t bias, start_bias;

	resolver->page_size = resolver->source->ops->read(
		resolver->source->context, resolver->header, resolver->page, PAGE);
	ret->header = resolver->header;
	ret->fingerprint = hash_bytes(resolver->page, resolver->page_size);
	if (!elf_headers_read(&headers, read_from_header, resolver))
		return;
	if (elf_headers_bias(&headers, map->offset, map->start, PF_X, &bias)) {
		if (!elf_headers_bias(&headers, 0, resolver->header, 0, &start_bias))
			start_bias = bias;
		identity.build_id_size = elf_headers_build_id(
			&headers, start_bias, read_process, resolver, identity.build_id);
		identity.fingerprint = ret->fingerprint;
		ret->module = get_module(resolver, &identity);
		ret->bias = bias;
		open_module(resolver, &headers, bias, ret->module);
	}
	elf_headers_deinit(&headers);
}

/** When the start of the file is not mapped, only the file itself can say what it is. */
static void resolve_by_file(struct resolver *resolver, struct mapping *ret)
{
	const struct unwind_map *map = resolver->map;
	struct module_identity identity = {.device = map->device, .inode = map->inode};
	struct elf_file *file = open_file(resolver, &identity, NULL);

	if (!file)
		return;
	if (elf_headers_bias(&file->headers, map->offset, map->start, PF_X, &ret->bias)) {
		memcpy(identity.build_id, file->build_id, file->build_id_size);
		identity.build_id_size = file->build_id_size;
		ret->module = get_module(resolver, &identity);
	}
	if (ret->module && !ret->module->file)
		module_make_room(resolver->context);
	if (ret->module && (!ret->module->file || ret->module->file_is_image))
		module_set_file(ret->module, file, /* is_image= */ false);
	else
		elf_file_destroy(file);
}

void mapping_resolve(struct unwind_context *context, const struct unwind_source *source,
	const struct maps *maps, const struct unwind_map *map, struct mapping *ret)
{
	struct resolver resolver = {.context = context, .source = source, .map = map};
	const struct unwind_map *start = header_map(maps, map);

	*ret = (struct mapping){0};
	if (start) {
		resolver.header = start->start;
		resolve_by_memory(&resolver, ret);
	} else if (map->inode) {
		resolve_by_file(&resolver, ret);
	}
}

bool mapping_is_valid(const struct mapping *mapping, const struct unwind_source *source)
{
	uint8_t page[PAGE];
	size_t size;

	if (!mapping->header)
		return true;
	size = source->ops->read(source->context, mapping->header, page, sizeof(page));
	return hash_bytes(page, size) == mapping->fingerprint;
}
