// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MODULE_MODULE_H
#define UNWIND_MODULE_MODULE_H

/**
 * One ELF file as programs run it, once for the whole run however many
 * processes map it. It is known by its build-id as found in the memory of a
 * process; by device, inode and first page where it has none. It owns
 * all that is read from the file and remembers what was tried in vain. Internal.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "unwind/cache/symbol_cache.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/frame/arch.h"
#include "unwind/unwind.h"

struct elf_file;
struct symbol_table;
struct unit_table;

struct unwind_module {
	struct unwind_context *context;
	/** All modules of the context. */
	struct unwind_module *next;
	struct unwind_module *next_same_key;
	struct debug_files files;
	/** How often it was tried to open the file. */
	unsigned open_attempts;
	/** Its files were closed to make room; the next mapping that leads here opens them. */
	bool is_closed;
	/** The context's clock when it was needed last. */
	uint64_t last_used;

	Dwarf_CFI *eh_frame;
	bool eh_frame_tried;
	/** Belongs to the file it is from. */
	Dwarf_CFI *debug_frame;
	bool debug_frame_tried;

	/** Made on demand. */
	struct symbol_table *symbols;
	/** Of search_dwarf_file(). */
	struct unit_table *units;
	bool units_tried;
	/** Names and lines by lookup address. */
	struct symbol_cache symbol_cache;

	/** By lookup address (arg_plan.h), in @arg_arena; gone when the files are closed. */
	struct hash arg_plans;
	struct arena arg_arena;
};

/** The module of this identity, or NULL. */
struct unwind_module *module_find(
	const struct unwind_context *context, const struct file_identity *identity);
/** A new module without a file; belongs to the context. @path is copied. */
struct unwind_module *module_create(
	struct unwind_context *context, const struct file_identity *identity, const char *path);
/** Called by the context. */
void module_destroy(struct unwind_module *module);
/** Takes over @file (may replace an image). */
void module_set_file(struct unwind_module *module, struct elf_file *file, bool is_image);
/** Takes over @file, a debug file that came late: what was known without it is forgotten. */
void module_set_debug_file(struct unwind_module *module, struct elf_file *file);
/** Marks @module as needed now. */
void module_use(struct unwind_module *module);
/** Closes the files of the module that was not needed for longest if too many are open. */
void module_make_room(struct unwind_context *context);

/**
 * The unwind rule for @pc in the module's own addresses, from the cache or from
 * its files; NULL if there is none. *@is_last_ret as cfi_rule().
 */
const struct rule *module_rule(
	struct unwind_module *module, const struct arch *arch, uint64_t pc, bool *is_last_ret);

/** The module's DWARF by address, opened by the first call; NULL if there is none. */
struct unit_table *module_units(struct unwind_module *module);

/** Whether @pc is in the code at the entry point in the module's ELF header. */
bool module_is_entry(const struct unwind_module *module, uint64_t pc);
/** That entry point, of a module whose file is open. */
uint64_t module_entry(const struct unwind_module *module);
/** Whether its file, which is open, was linked to be run. */
bool module_is_program(const struct unwind_module *module);

#endif
