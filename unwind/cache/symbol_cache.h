// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_CACHE_SYMBOL_CACHE_H
#define UNWIND_CACHE_SYMBOL_CACHE_H

/**
 * Names and lines of one module by address, kept from run to run: what is learned of a
 * module with a build-id is written down at the end and read again when the next run first
 * asks. It counts only if the files it was made from are still the same. Internal.
 */

#include <stdbool.h>

#include "base/hash.h"
#include "unwind/cache/symbol_cache_file.h"
#include "unwind/frame.h"

struct arena;
struct debug_files;
struct string_pool;
struct unwind_options;

/** The folder of all modules, and where what is read from it lives. */
struct symbol_store {
	const struct unwind_options *options;
	struct arena *arena;
	struct string_pool *strings;
	/** -1: there is none. Only valid if tried. */
	int folder;
	bool tried;
	/** Something was written. */
	bool is_changed;
};

/** Of one module; zero-initialised is empty and valid. */
struct symbol_cache {
	/** Descriptions by lookup address, one map per enum frame_address. */
	struct hash descriptions[FRAME_ADDRESS_RETURN + 1];
	/** Earlier runs were asked; the rest is valid. */
	bool tried;
	/** What is known depends on something that was missing: it is not written. */
	bool is_blocked;
	/** Something was learned that is not in the file. */
	bool is_changed;
	struct file_stamp module, debug, alt;
	const char *alt_path;
};

/** All arguments must outlive @store; the folder is opened when it is needed. */
void symbol_store_init(struct symbol_store *store, const struct unwind_options *options,
	struct arena *arena, struct string_pool *strings);
/** After the last symbol_cache_save(): removes old files if the folder is too big. */
void symbol_store_close(struct symbol_store *store);

/** Frees what is in memory; the descriptions belong to the store's arena. */
void symbol_cache_deinit(struct symbol_cache *cache);
/** Before the first description of a module is made: adds what earlier runs left of it. */
void symbol_cache_load(
	struct symbol_cache *cache, struct symbol_store *store, struct debug_files *files);
/** Before @files are closed. */
void symbol_cache_files_close(
	struct symbol_cache *cache, struct symbol_store *store, const struct debug_files *files);
/** Before the context ends: writes what was learned. */
void symbol_cache_save(
	struct symbol_cache *cache, struct symbol_store *store, const struct debug_files *files);
/** What is known of @lookup, an @address; NULL if nothing. */
struct unwind_description *symbol_cache_get(
	const struct symbol_cache *cache, enum frame_address address, uint64_t lookup);
/** Remembers @description, which must live as long as the store's arena. */
void symbol_cache_set(struct symbol_cache *cache, enum frame_address address, uint64_t lookup,
	struct unwind_description *description);

#endif
