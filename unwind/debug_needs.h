// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUG_NEEDS_H
#define UNWIND_DEBUG_NEEDS_H

/**
 * What a program that wants to debug an ELF file has to find, and where it is on this
 * system: to judge the searching of other programs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct unwind_context;

/** A file to be found, for the sake of another one. */
struct debug_need {
	/** The ELF file that asks for it. */
	const char *by;
	/** Its name without folders: REST.debug, that of the debug link, of the alternate file. */
	const char *name;
	/** In hex digits; NULL if only the name is known. */
	const char *build_id;
	/** The whole path that @by gives (an alternate file); else NULL. */
	const char *path;
	/** CRC of a debug link; only valid without @build_id and @path. */
	uint32_t crc;
	/** @by has debug information in itself, so that nothing is missing without the file. */
	bool is_whole;
};

enum { DEBUG_NEEDS_MAX = 4 };

/**
 * What the ELF file at @path asks for, at most DEBUG_NEEDS_MAX; the strings are in @arena.
 * Returns how many: 0 if it is no ELF file.
 */
size_t debug_needs_read(const char *path, struct arena *arena, struct debug_need *ret);
/** The build-id of the ELF file at @path in hex digits, in @arena; NULL if it has none. */
const char *debug_needs_build_id(const char *path, struct arena *arena);
/** The rest of @path below one of the folders for debug files, from "/" on; else NULL. */
const char *debug_needs_below(const struct unwind_context *context, const char *path);
/** Where a file that satisfies @need is, in @arena; NULL if it is nowhere. */
const char *debug_needs_find(
	const struct unwind_context *context, const struct debug_need *need, struct arena *arena);

#endif
