// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/module/mapping.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bits.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "unwind/elf/elf_file.h"
#include "unwind/elf/elf_image.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"

enum {
	PAGE = 4096,
	/** Other mappings that may lie between the parts of one file. */
	FOREIGN_MAX = 16,
	/** How often a file that cannot be opened is tried again by other processes. */
	OPEN_ATTEMPTS_MAX = 4,
	/** Candidates that a source may offer. */
	CANDIDATES_MAX = 16,
	/** Bytes of a segment that are compared where nothing else tells files apart. */
	COMPARED_MAX = 16 * 1024 * 1024,
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
	for (const struct unwind_map *at = map; foreign < FOREIGN_MAX; at--) {
		if (at->device != map->device || at->inode != map->inode)
			foreign++;
		else if (!at->offset)
			return at;
		if (at == maps->data)
			break;
	}
	return NULL;
}

/** Whether @size bytes at @offset of @file are what is mapped at @address. */
static bool is_same_range(const struct resolver *resolver, const struct elf_file *file,
	uint64_t offset, taddr address, uint64_t size)
{
	const struct unwind_source *source = resolver->source;

	for (uint64_t done = 0; done < size; done += PAGE) {
		size_t part = size - done < PAGE ? (size_t)(size - done) : PAGE;
		uint8_t ours[PAGE], theirs[PAGE];

		if (pread(file->fd, ours, part, (off_t)(offset + done)) != (ssize_t)part ||
			source->ops->read(source->context, address + done, theirs, part) != part ||
			memcmp(ours, theirs, part) != 0)
			return false;
	}
	return true;
}

static bool has_same_contents(const struct resolver *resolver, const struct elf_file *file)
{
	const struct elf_headers *headers = &file->headers;
	uint64_t bias;

	if (!resolver->header || !elf_headers_bias(headers, 0, resolver->header, 0, &bias))
		return false;
	for (size_t i = 0; i < headers->count; i++) {
		const struct elf_segment *segment = &headers->segments[i];
		uint64_t size =
			segment->file_size < COMPARED_MAX ? segment->file_size : COMPARED_MAX;

		if (segment->type == PT_LOAD && !(segment->flags & PF_W) &&
			!is_same_range(
				resolver, file, segment->offset, segment->vaddr + bias, size))
			return false;
	}
	return true;
}

/**
 * The file of a module without build-id must be the mapped one in some other way. The device
 * of overlayfs and btrfs differs between maps and stat, then the contents must be the same.
 */
static bool is_same_file(const struct resolver *resolver, const struct elf_file *file)
{
	if (file->inode != resolver->map->inode)
		return false;
	return file->device == resolver->map->device || has_same_contents(resolver, file);
}

/** LOOKUP_NONE if @file is the mapped one; else why not, with the detail of a failure. */
static enum lookup_reason refuse(const struct resolver *resolver,
	const struct file_identity *identity, const struct elf_file *file, bool is_mapped_file,
	char **detail_ret)
{
	if (!identity->build_id_size)
		return is_mapped_file || is_same_file(resolver, file) ? LOOKUP_NONE
								      : LOOKUP_OTHER_FILE;
	if (elf_file_has_build_id(file, identity->build_id, identity->build_id_size))
		return LOOKUP_NONE;
	*detail_ret = lookup_failure_build_id_detail(
		file->build_id, file->build_id_size, identity->build_id, identity->build_id_size);
	return file->build_id_size ? LOOKUP_OTHER_BUILD_ID : LOOKUP_NO_BUILD_ID;
}

/**
 * Takes over @candidate: its file if that is the mapped one, else NULL and a failure of
 * @module.
 */
static struct elf_file *try_candidate(const struct resolver *resolver,
	const struct file_identity *identity, struct unwind_module *module,
	struct unwind_candidate *candidate)
{
	struct lookup_failure failure = {.wanted = LOOKUP_OF_FILE, .path = candidate->tried};
	struct elf_file *file = NULL;

	if (candidate->fd < 0) {
		failure.reason = lookup_failure_of_errno(candidate->error);
		if (failure.reason == LOOKUP_SYSTEM)
			failure.detail = xstrdup(strerror(candidate->error));
		else if (candidate->needs)
			failure.detail = xstrdup(candidate->needs);
	} else {
		file = elf_file_open(candidate->fd, candidate->tried, &failure.reason);
		if (file)
			failure.reason = refuse(resolver, identity, file, candidate->is_mapped_file,
				&failure.detail);
	}
	if (failure.reason == LOOKUP_NONE) {
		lookup_failure_deinit(&failure);
		return file;
	}
	elf_file_destroy(file);
	if (module)
		debug_files_add_failure(&module->files, failure);
	else
		lookup_failure_deinit(&failure);
	return NULL;
}

/** The first acceptable candidate. Refusals go to @module if there is one yet. */
static struct elf_file *open_file(const struct resolver *resolver,
	const struct file_identity *identity, struct unwind_module *module)
{
	const struct unwind_source *source = resolver->source;
	const struct root_list *roots = &resolver->context->search.roots;
	struct unwind_candidate candidate = {.fd = -1};
	int sysroot = resolver->context->search.sysroot;
	struct elf_file *file = NULL;

	for (unsigned attempt = 0; !file && attempt < CANDIDATES_MAX; attempt++) {
		if (!source->ops->open_file(source->context, resolver->map, attempt, &candidate))
			break;
		file = try_candidate(resolver, identity, module, &candidate);
		candidate = (struct unwind_candidate){.fd = -1};
	}
	if (file || sysroot == ROOT_OWN || !resolver->map->path)
		return file;
	candidate.fd = root_list_open(roots, sysroot, resolver->map->path);
	candidate.error = errno;
	candidate.tried = xasprintf("%s%s", roots->roots[sysroot].path, resolver->map->path);
	return try_candidate(resolver, identity, module, &candidate);
}

static const char *root_of(const struct resolver *resolver)
{
	const struct unwind_source *source = resolver->source;

	return source->ops->root ? source->ops->root(source->context) : NULL;
}

/** A file may really be called "x (deleted)": then that is its name. */
static void settle_name(const struct resolver *resolver, struct unwind_module *module)
{
	const struct unwind_map *map = resolver->map;
	cleanup_close int fd = -1;
	const char *name;
	struct stat stat;

	if (!map->is_deleted)
		return;
	name = root_inside(root_of(resolver), map->name);
	fd = root_list_open(&resolver->context->search.roots, module->files.root, name);
	if (fd < 0 || fstat(fd, &stat) || stat.st_dev != module->files.file->device ||
		stat.st_ino != module->files.file->inode)
		return;
	module->files.path = context_string(resolver->context, map->name);
	module->files.inside = context_string(resolver->context, name);
}

static void open_module(const struct resolver *resolver, const struct elf_headers *headers,
	uint64_t bias, struct unwind_module *module)
{
	const struct unwind_source *source = resolver->source;
	struct elf_file *file = NULL;
	enum lookup_reason reason;

	module_use(module);
	if (!module->files.file)
		module_make_room(resolver->context);
	if ((module->files.file && !module->files.file_is_image) || is_vdso(resolver->map)) {
		if (module->files.file)
			return;
	} else if (module->open_attempts < OPEN_ATTEMPTS_MAX) {
		module->open_attempts++;
		module->files.root =
			root_list_add(&resolver->context->search.roots, root_of(resolver));
		module->files.inside =
			module->files.root == ROOT_OWN
				? module->files.path
				: context_string(resolver->context,
					  root_inside(root_of(resolver), module->files.path));
		file = open_file(resolver, &module->files.identity, module);
	}
	if (file) {
		module_set_file(module, file, /* is_image= */ false);
		settle_name(resolver, module);
		return;
	}
	if (module->files.file)
		return;
	if (is_vdso(resolver->map))
		file = elf_image_read(source, resolver->map->start,
			resolver->map->end - resolver->map->start, module->files.path, &reason);
	else
		file = elf_image_copy(headers, bias, source, module->files.path, &reason);
	if (file)
		module_set_file(module, file, /* is_image= */ !is_vdso(resolver->map));
	else
		debug_files_add_failure(
			&module->files, (struct lookup_failure){.wanted = LOOKUP_OF_FILE,
						.reason = reason,
						.path = xstrdup("a copy from memory")});
}

/** The name by which people know the file: without the mark of deletion. */
static const char *path_of(const struct unwind_map *map)
{
	return map->path ? map->path : map->name;
}

/** The same for a mapping of @module, whose name may end in what looks like that mark. */
static const char *mapped_path(const struct unwind_module *module, const struct unwind_map *map)
{
	return strcmp(module->files.path, map->name) == 0 ? map->name : path_of(map);
}

static struct unwind_module *get_module(
	struct resolver *resolver, const struct file_identity *identity)
{
	struct unwind_module *module = module_find(resolver->context, identity);

	if (!module)
		module = module_create(resolver->context, identity, path_of(resolver->map));
	return module;
}

static void resolve_by_memory(struct resolver *resolver, struct mapping *ret)
{
	const struct unwind_map *map = resolver->map;
	struct file_identity identity = {.device = map->device, .inode = map->inode};
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
	struct file_identity identity = {.device = map->device, .inode = map->inode};
	struct elf_file *file = open_file(resolver, &identity, NULL);

	if (!file)
		return;
	if (elf_headers_bias(&file->headers, map->offset, map->start, PF_X, &ret->bias)) {
		memcpy(identity.build_id, file->build_id, file->build_id_size);
		identity.build_id_size = file->build_id_size;
		ret->module = get_module(resolver, &identity);
	}
	if (ret->module && !ret->module->files.file)
		module_make_room(resolver->context);
	if (ret->module && (!ret->module->files.file || ret->module->files.file_is_image))
		module_set_file(ret->module, file, /* is_image= */ false);
	else
		elf_file_destroy(file);
}

/** The code segment that holds all of @map if its file is loaded with @bias; NULL if none. */
static const struct elf_segment *segment_around(
	const struct elf_headers *headers, uint64_t bias, const struct unwind_map *map)
{
	for (size_t i = 0; i < headers->count; i++) {
		const struct elf_segment *segment = &headers->segments[i];
		taddr start = (segment->vaddr + bias) & ~(taddr)(PAGE - 1);
		taddr end = align_up(segment->vaddr + bias + segment->file_size, PAGE);

		if (segment->type == PT_LOAD && segment->flags & PF_X && map->start >= start &&
			map->end <= end)
			return segment;
	}
	return NULL;
}

/** Whether @map, of other memory, is in a code segment of the file whose start is at @header. */
static bool is_within(
	struct resolver *resolver, const struct unwind_map *header, const struct unwind_map *map)
{
	struct elf_headers headers;
	uint64_t bias;
	bool is_found;

	resolver->map = header;
	resolver->header = header->start;
	resolver->page_size = resolver->source->ops->read(
		resolver->source->context, header->start, resolver->page, PAGE);
	if (!elf_headers_read(&headers, read_from_header, resolver))
		return false;
	is_found = elf_headers_bias(&headers, 0, header->start, 0, &bias) &&
		   segment_around(&headers, bias, map);
	elf_headers_deinit(&headers);
	return is_found;
}

/** Whether the bytes of @map are those of the module found, and where in its file. */
static bool is_copy(
	const struct resolver *resolver, const struct unwind_map *map, struct mapping *mapping)
{
	const struct elf_file *file = mapping->module ? mapping->module->files.file : NULL;
	const struct elf_segment *segment;
	taddr start, end;

	if (!file || file->fd < 0)
		return false;
	segment = segment_around(&file->headers, mapping->bias, map);
	if (!segment)
		return false;
	start = segment->vaddr + mapping->bias;
	end = start + segment->file_size;
	mapping->offset = segment->offset + (map->start - start);
	start = map->start > start ? map->start : start;
	end = map->end < end ? map->end : end;
	return is_same_range(
		resolver, file, mapping->offset + (start - map->start), start, end - start);
}

/**
 * Code that was copied from its file to other memory at the same place, to have it in huge
 * pages: it is still that of the module around it if the bytes agree.
 */
static void resolve_copy(struct resolver *resolver, const struct maps *maps, struct mapping *ret)
{
	const struct unwind_map *map = resolver->map;
	unsigned tried = 0;

	for (const struct unwind_map *at = map; at-- > maps->data && tried < FOREIGN_MAX; tried++) {
		if (!at->inode || at->offset || !is_within(resolver, at, map))
			continue;
		resolve_by_memory(resolver, ret);
		if (!is_copy(resolver, map, ret))
			*ret = (struct mapping){0};
		return;
	}
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
	}
	// Nor can the memory of a process that is gone.
	if (map->inode && (!start || !resolver.page_size))
		resolve_by_file(&resolver, ret);
	ret->offset = map->offset;
	if (!ret->module)
		resolve_copy(&resolver, maps, ret);
	if (ret->module)
		ret->path = context_string(context, mapped_path(ret->module, resolver.map));
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
