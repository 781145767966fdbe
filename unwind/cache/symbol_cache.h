// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_CACHE_SYMBOL_CACHE_H
#define UNWIND_CACHE_SYMBOL_CACHE_H

/**
 * Descriptions from run to run: what is learned of a module with a build-id is
 * written down at the end and read again when the next run first asks. It
 * counts only if the files it was made from are still the same. Internal.
 */

#include <stdbool.h>

#include "unwind/cache/symbol_cache_file.h"

struct unwind_context;
struct unwind_module;

/** What a module remembers for it. */
struct symbol_cache {
	/** The rest is valid. */
	bool tried;
	/** What is known depends on something that was missing: it is not written. */
	bool is_blocked;
	/** Something was learned that is not in the file. */
	bool is_changed;
	struct file_stamp module, debug, alt;
	const char *alt_path;
};

/** Before the first description of @module is made: adds what earlier runs left. */
void symbol_cache_load(struct unwind_module *module);
/** Before the files of @module are closed. */
void symbol_cache_files_close(struct unwind_module *module);
/** Before the context ends: writes what was learned. */
void symbol_cache_save_all(struct unwind_context *context);

#endif
