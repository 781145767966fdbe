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
#include "base/array.h"
#include "base/hash.h"
#include "unwind/cache/symbol_cache.h"
#include "unwind/describe/download.h"
#include "unwind/elf/elf_headers.h"
#include "unwind/frame/arch.h"
#include "unwind/lookup_failure.h"
#include "unwind/unwind.h"

struct elf_file;
struct symbol_table;
struct unit_table;

enum {
	/** Misses that a module keeps. */
	MODULE_FAILURES_MAX = 256,
};

/** By what a module is recognised. */
struct module_identity {
	uint8_t build_id[ELF_BUILD_ID_MAX];
	/** 0: the other fields count. */
	size_t build_id_size;
	uint64_t device;
	uint64_t inode;
	/** Hash of the first page in memory. */
	uint64_t fingerprint;
};

struct unwind_module {
	struct unwind_context *context;
	/** All modules of the context. */
	struct unwind_module *next;
	struct unwind_module *next_same_key;
	struct module_identity identity;
	const char *path;
	/** The root of a process that uses it, see root.h, and how the path is spelled in there. */
	int root;
	const char *inside;
	/** The file itself or, if it cannot be had, a copy from memory; NULL if neither. */
	struct elf_file *file;
	/** @file is a copy because the file could not be had. */
	bool file_is_image;
	/** How often it was tried to open the file. */
	unsigned open_attempts;
	/** Its files were closed to make room; the next mapping that leads here opens them. */
	bool is_closed;
	/** The context's clock when it was needed last. */
	uint64_t last_used;

	/** Separate debug file; only valid after search_debug_file(). */
	struct elf_file *debug_file;
	bool debug_file_tried;
	struct download download;
	/** What it shares with others (dwz); belongs to the context, see search_alt_file(). */
	struct elf_file *alt_file;
	bool alt_file_tried;
	/** libdw knows the DWARF of @alt_file. */
	bool alt_is_known;
	/** Split DWARF of all units in one file; belongs to the module. */
	struct elf_file *split_package;
	bool split_package_tried;
	/** That the rest of a unit is missing was noted. */
	bool split_missed;
	/** Symbols from .gnu_debugdata. */
	struct elf_file *mini_file;

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
	/** Descriptions by lookup address, one map per enum frame_address. */
	struct hash descriptions[FRAME_ADDRESS_RETURN + 1];
	struct symbol_cache symbol_cache;

	/** In the order of trying, none twice. */
	/** By lookup address (arg_plan.h), in @arg_arena; gone when the files are closed. */
	struct hash arg_plans;
	struct arena arg_arena;

	ARRAY(struct lookup_failure) failures;
};

/** The module of this identity, or NULL. */
struct unwind_module *module_find(
	const struct unwind_context *context, const struct module_identity *identity);
/** A new module without a file; belongs to the context. @path is copied. */
struct unwind_module *module_create(
	struct unwind_context *context, const struct module_identity *identity, const char *path);
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
/** Remembers @failure, whose strings are taken over. */
void module_add_failure(struct unwind_module *module, struct lookup_failure failure);

/**
 * The unwind rule for @pc in the module's own addresses, from the cache or from
 * its files; NULL if there is none. *@is_last_ret as cfi_rule().
 */
const struct rule *module_rule(
	struct unwind_module *module, const struct arch *arch, uint64_t pc, bool *is_last_ret);

/** The module's DWARF by address, opened by the first call; NULL if there is none. */
struct unit_table *module_units(struct unwind_module *module);

/** Whether @pc is in the code at the module's entry point, which nobody calls. */
bool module_is_entry(const struct unwind_module *module, uint64_t pc);

#endif
