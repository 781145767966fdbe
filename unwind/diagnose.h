// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DIAGNOSE_H
#define UNWIND_DIAGNOSE_H

/**
 * Why names and lines are missing: for each module what gives unwinding, names
 * and lines, what was tried in vain, what that cost, and what to do about it. It
 * looks for everything that a description would need, so it may open files.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"

struct error;
struct lookup_failure;
struct unwind_context;
struct unwind_module;
struct unwind_source;
struct unwind_space;

/** What gives one of the three. */
struct diagnosis_part {
	/** The section, such as ".eh_frame"; NULL: nothing gives it. */
	const char *section;
	/** The file it is in, as it was opened. */
	const char *file;
	/** It only covers a part; why, in words, else NULL. */
	const char *limit;
};

/** Of one module. Everything lives as long as the list and the context. */
struct diagnosis {
	struct unwind_module *module;
	const char *path;
	const uint8_t *build_id;
	size_t build_id_size;
	/** What was opened; NULL if it could not be. */
	const char *opened;
	/** There is no file to be had: what is known is from memory. */
	bool from_memory;
	struct diagnosis_part unwinding, names, lines;
	/** In the order of trying; those that did not matter in the end are left out. */
	const struct lookup_failure *const *failures;
	size_t failure_count;
	/** Frames that were shown, and those of them without a function name or a line. */
	uint64_t shown, unnamed, lineless;
	/** What to do, a sentence or command each. */
	const char *const *hints;
	size_t hint_count;
};

/** Zero-initialised is empty and valid. */
struct diagnosis_list {
	struct arena arena;
	ARRAY(struct diagnosis) items;
};

void diagnosis_list_deinit(struct diagnosis_list *list);
/**
 * Fills @list for all modules of @context whose path or its last part is @name; NULL: for
 * all. Those that cost most come first.
 */
void diagnose(struct unwind_context *context, const char *name, struct diagnosis_list *list);

/**
 * How many frames of which modules were shown without names or lines; lines count as
 * missing only in modules that have none at all.
 */
struct diagnosis_summary {
	uint64_t shown, unnamed, lineless;
	/** Modules that these are in, those of most first; at most MODULES_NAMED of them. */
	const char *modules[3];
	size_t module_count;
};

void diagnosis_summarize(struct unwind_context *context, struct diagnosis_summary *ret);

/** Keeps all files open from now on, for reports on many modules at once. */
void unwind_context_keep_open(struct unwind_context *context);
/** Makes a module of each executable mapping of @space, as if a stack went through it. */
bool diagnose_space(struct unwind_space *space, const struct unwind_source *source);
/** Makes a module of the ELF file at @path, as if it were mapped. */
struct error *diagnose_file(struct unwind_context *context, const char *path);

#endif
