// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/cache/symbol_cache.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/cache/cache_folder.h"
#include "unwind/debuginfo/search.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"

/** Bytes of all files in the folder. */
enum { FOLDER_MAX = 64 * 1024 * 1024 };

static struct file_stamp stamp_of(const struct stat *stat)
{
	return (struct file_stamp){
		.size = (uint64_t)stat->st_size,
		.seconds = stat->st_mtim.tv_sec,
		.nanoseconds = (uint64_t)stat->st_mtim.tv_nsec,
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
	return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

/** One per build-id and way to describe. */
static char *name_of(const struct unwind_module *module)
{
	const struct unwind_options *options = &module->context->options;
	const struct module_identity *identity = &module->identity;
	unsigned way = (unsigned)options->no_inlines | (unsigned)options->no_lines << 1 |
		       (unsigned)options->no_demangle << 2;
	struct buf name = {0};

	for (size_t i = 0; i < identity->build_id_size; i++)
		buf_printf(&name, "%02x", identity->build_id[i]);
	buf_printf(&name, "-%u", way);
	buf_text(&name);
	return name.data;
}

static int folder_of(struct unwind_context *context)
{
	if (!context->cache_tried) {
		context->cache_tried = true;
		context->cache_folder = context->options.cache_dir
						? cache_folder_open(context->options.cache_dir)
						: -1;
	}
	return context->cache_folder;
}

/** Whether the debug file matters; most programs need it for everything. */
static bool needs_debug_file(const struct unwind_module *module)
{
	return !elf_file_section(module->file, ".symtab") ||
	       (!module->context->options.no_lines && !elf_file_has_dwarf(module->file));
}

static bool is_still_true(
	const struct unwind_module *module, const struct description_sources *sources)
{
	const struct module_identity *identity = &module->identity;
	struct file_stamp alt;
	struct stat stat;

	if (sources->build_id_size != identity->build_id_size ||
		memcmp(sources->build_id, identity->build_id, identity->build_id_size) ||
		!is_same(&sources->module, &module->symbol_cache.module) ||
		!is_same(&sources->debug, &module->symbol_cache.debug))
		return false;
	if (!sources->alt_path)
		return true;
	if (lstat(sources->alt_path, &stat))
		return false;
	alt = stamp_of(&stat);
	return is_same(&sources->alt, &alt);
}

static void take_over(struct unwind_module *module, const struct described_list *list)
{
	array_for_each (described, &list->list) {
		struct hash *known = &module->descriptions[described->address];

		if (!hash_get(known, described->lookup))
			hash_set(known, described->lookup, (void *)described->description);
	}
}

void symbol_cache_load(struct unwind_module *module)
{
	struct symbol_cache *cache = &module->symbol_cache;
	struct description_sources sources;
	struct described_list list = {0};
	cleanup_free uint8_t *data = NULL;
	cleanup_free char *name = NULL;
	size_t size;

	if (cache->tried || !module->file || module->file_is_image ||
		!module->identity.build_id_size || folder_of(module->context) < 0)
		return;
	cache->tried = true;
	cache->module = file_stamp(module->file);
	if (needs_debug_file(module))
		cache->debug = file_stamp(search_debug_file(module));
	name = name_of(module);
	data = cache_folder_read(module->context->cache_folder, name, &size);
	if (!data || !symbol_cache_file_read(module->context, data, size, &sources, &list))
		return;
	if (is_still_true(module, &sources)) {
		take_over(module, &list);
		cache->alt = sources.alt;
		cache->alt_path = sources.alt_path;
	}
	array_deinit(&list.list);
}

void symbol_cache_files_close(struct unwind_module *module)
{
	struct symbol_cache *cache = &module->symbol_cache;
	const char *known = cache->alt_path;
	struct file_stamp debug, alt;

	if (!cache->tried)
		return;
	debug = file_stamp(module->debug_file);
	if (module->debug_file && !is_same(&debug, &cache->debug))
		cache->is_blocked = true;
	if (!module->alt_file_tried)
		return;
	if (!module->alt_file) {
		cache->is_blocked = true;
		return;
	}
	alt = file_stamp(module->alt_file);
	if (known && (strcmp(known, module->alt_file->path) || !is_same(&alt, &cache->alt)))
		cache->is_blocked = true;
	cache->alt = alt;
	cache->alt_path = context_string(module->context, module->alt_file->path);
}

static bool save(struct unwind_module *module)
{
	struct symbol_cache *cache = &module->symbol_cache;
	struct description_sources sources = {
		.build_id = module->identity.build_id,
		.build_id_size = module->identity.build_id_size,
		.module = cache->module,
		.debug = cache->debug,
	};
	struct described_list list = {0};
	cleanup_free char *name = NULL;
	struct buf buf = {0};

	symbol_cache_files_close(module);
	if (!cache->tried || cache->is_blocked || !cache->is_changed)
		return false;
	sources.alt = cache->alt;
	sources.alt_path = cache->alt_path;
	for (size_t i = 0; i < ARRAY_SIZE(module->descriptions); i++) {
		const struct hash_entry *entry;
		size_t position = 0;

		while ((entry = hash_next(&module->descriptions[i], &position)) &&
			list.list.count < SYMBOL_CACHE_FILE_MAX)
			*array_add(&list.list) =
				(struct described){(enum frame_address)i, entry->key, entry->value};
	}
	name = name_of(module);
	symbol_cache_file_write(&buf, &sources, &list);
	cache_folder_write(module->context->cache_folder, name, buf.data, buf.length);
	buf_deinit(&buf);
	array_deinit(&list.list);
	return true;
}

void symbol_cache_save_all(struct unwind_context *context)
{
	bool is_written = false;

	if (!context->cache_tried || context->cache_folder < 0)
		return;
	for (struct unwind_module *module = context->first_module; module; module = module->next)
		is_written |= save(module);
	if (is_written)
		cache_folder_prune(context->cache_folder, FOLDER_MAX);
	close(context->cache_folder);
	context->cache_folder = -1;
}
