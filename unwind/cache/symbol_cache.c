// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/cache/symbol_cache.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/cache/cache_folder.h"
#include "unwind/cache/string_pool.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/debuginfo/search.h"
#include "unwind/elf/elf_file.h"
#include "unwind/unwind.h"

/** Bytes of all files in the folder. */
enum { FOLDER_MAX = 64 * 1024 * 1024 };

static struct file_stamp stamp_of(const struct stat *stat)
{
	return (struct file_stamp){
		.size = (uint64_t)stat->st_size,
		.seconds = stat->st_mtim.tv_sec,
		.nanoseconds = (uint64_t)stat->st_mtim.tv_nsec,
		.change_seconds = stat->st_ctim.tv_sec,
		.change_nanoseconds = (uint64_t)stat->st_ctim.tv_nsec,
		.device = stat->st_dev,
		.inode = stat->st_ino,
		.owner = stat->st_uid,
	};
}

static struct file_stamp file_stamp(const struct elf_file *file)
{
	struct stat stat;

	if (!file || file->fd < 0 || fstat(file->fd, &stat))
		return (struct file_stamp){0};
	return stamp_of(&stat);
}

static bool is_same(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
	       a->change_seconds == b->change_seconds &&
	       a->change_nanoseconds == b->change_nanoseconds && a->device == b->device &&
	       a->inode == b->inode && a->owner == b->owner;
}

/** One per build-id and way to describe. */
static char *name_of(const struct symbol_store *store, const struct file_identity *identity)
{
	const struct unwind_options *options = store->options;
	unsigned way = (unsigned)options->no_inlines | (unsigned)options->no_lines << 1 |
		       (unsigned)options->no_demangle << 2;
	struct buf name = {0};

	for (size_t i = 0; i < identity->build_id_size; i++)
		buf_printf(&name, "%02x", identity->build_id[i]);
	buf_printf(&name, "-%u", way);
	buf_text(&name);
	return name.data;
}

static int folder_of(struct symbol_store *store)
{
	if (!store->tried) {
		store->tried = true;
		store->folder = store->options->cache_dir
					? cache_folder_open(store->options->cache_dir)
					: -1;
	}
	return store->folder;
}

/** Whether the debug file matters; most programs need it for everything. */
static bool needs_debug_file(const struct debug_files *files)
{
	return !elf_file_section(files->file, ".symtab") ||
	       (!files->search->options->no_lines && !elf_file_has_dwarf(files->file));
}

static bool is_still_true(const struct symbol_cache *cache, const struct file_identity *identity,
	const struct description_sources *sources)
{
	struct file_stamp alt;
	struct stat stat;

	if (sources->build_id_size != identity->build_id_size ||
		memcmp(sources->build_id, identity->build_id, identity->build_id_size) ||
		!is_same(&sources->module, &cache->module) ||
		!is_same(&sources->debug, &cache->debug))
		return false;
	if (!sources->alt_path)
		return true;
	if (lstat(sources->alt_path, &stat))
		return false;
	alt = stamp_of(&stat);
	return is_same(&sources->alt, &alt);
}

static void take_over(struct symbol_cache *cache, const struct described_list *list)
{
	array_for_each (described, &list->list) {
		struct hash *known = &cache->descriptions[described->address];

		if (!hash_get(known, described->lookup))
			hash_set(known, described->lookup, (void *)described->description);
	}
}

void symbol_store_init(struct symbol_store *store, const struct unwind_options *options,
	struct arena *arena, struct string_pool *strings)
{
	*store = (struct symbol_store){.options = options, .arena = arena, .strings = strings};
}

void symbol_store_close(struct symbol_store *store)
{
	if (!store->tried || store->folder < 0)
		return;
	if (store->is_changed)
		cache_folder_prune(store->folder, FOLDER_MAX);
	close(store->folder);
	store->folder = -1;
}

void symbol_cache_deinit(struct symbol_cache *cache)
{
	for (size_t i = 0; i < ARRAY_SIZE(cache->descriptions); i++)
		hash_deinit(&cache->descriptions[i]);
}

void symbol_cache_load(
	struct symbol_cache *cache, struct symbol_store *store, struct debug_files *files)
{
	struct description_sources sources;
	struct described_list list = {0};
	cleanup_free uint8_t *data = NULL;
	cleanup_free char *name = NULL;
	size_t size;

	if (cache->tried || !files->file || files->file_is_image ||
		!files->identity.build_id_size || folder_of(store) < 0)
		return;
	cache->tried = true;
	cache->module = file_stamp(files->file);
	if (needs_debug_file(files))
		cache->debug = file_stamp(search_debug_file(files));
	name = name_of(store, &files->identity);
	data = cache_folder_read(store->folder, name, &size);
	if (!data ||
		!symbol_cache_file_read(store->arena, store->strings, data, size, &sources, &list))
		return;
	if (is_still_true(cache, &files->identity, &sources)) {
		take_over(cache, &list);
		cache->alt = sources.alt;
		cache->alt_path = sources.alt_path;
	}
	array_deinit(&list.list);
}

void symbol_cache_files_close(
	struct symbol_cache *cache, struct symbol_store *store, const struct debug_files *files)
{
	const char *known = cache->alt_path;
	struct file_stamp debug, alt;

	if (!cache->tried)
		return;
	// What was read as zeroes is not what the file says.
	if ((files->file && elf_file_is_cut(files->file)) ||
		(files->debug_file && elf_file_is_cut(files->debug_file)))
		cache->is_blocked = true;
	debug = file_stamp(files->debug_file);
	if (files->debug_file && !is_same(&debug, &cache->debug))
		cache->is_blocked = true;
	if (!files->alt_file_tried)
		return;
	if (!files->alt_file) {
		cache->is_blocked = true;
		return;
	}
	alt = file_stamp(files->alt_file);
	if (known && (strcmp(known, files->alt_file->path) || !is_same(&alt, &cache->alt)))
		cache->is_blocked = true;
	cache->alt = alt;
	cache->alt_path = string_pool_add(store->strings, files->alt_file->path);
}

static struct described_list list_all(const struct symbol_cache *cache)
{
	struct described_list list = {0};

	for (size_t i = 0; i < ARRAY_SIZE(cache->descriptions); i++) {
		const struct hash_entry *entry;
		size_t position = 0;

		while ((entry = hash_next(&cache->descriptions[i], &position)) &&
			list.list.count < SYMBOL_CACHE_FILE_MAX)
			*array_add(&list.list) =
				(struct described){(enum frame_address)i, entry->key, entry->value};
	}
	return list;
}

void symbol_cache_save(
	struct symbol_cache *cache, struct symbol_store *store, const struct debug_files *files)
{
	struct description_sources sources = {
		.build_id = files->identity.build_id,
		.build_id_size = files->identity.build_id_size,
	};
	struct described_list list;
	cleanup_free char *name = NULL;
	struct buf buf = {0};

	symbol_cache_files_close(cache, store, files);
	if (!cache->tried || cache->is_blocked || !cache->is_changed)
		return;
	sources.module = cache->module;
	sources.debug = cache->debug;
	sources.alt = cache->alt;
	sources.alt_path = cache->alt_path;
	list = list_all(cache);
	name = name_of(store, &files->identity);
	symbol_cache_file_write(&buf, &sources, &list);
	cache_folder_write(store->folder, name, buf.data, buf.length);
	store->is_changed = true;
	buf_deinit(&buf);
	array_deinit(&list.list);
}

struct unwind_description *symbol_cache_get(
	const struct symbol_cache *cache, enum frame_address address, uint64_t lookup)
{
	return hash_get(&cache->descriptions[address], lookup);
}

void symbol_cache_set(struct symbol_cache *cache, enum frame_address address, uint64_t lookup,
	struct unwind_description *description)
{
	hash_set(&cache->descriptions[address], lookup, description);
	cache->is_changed = true;
}
