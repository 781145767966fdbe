// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MODULE_MAPPING_H
#define UNWIND_MODULE_MAPPING_H

/**
 * Which module is behind an executable mapping, judged by what the process
 * really has in memory, and where it is loaded.
 */

#include <stdint.h>

#include "base/taddr.h"
#include "unwind/maps.h"
#include "unwind/source.h"

struct unwind_context;
struct unwind_module;

struct mapping {
	/** NULL: no ELF file. */
	struct unwind_module *module;
	/** Added to the file's addresses by loading. */
	uint64_t bias;
	/** Where in the file the start of the mapping is, in bytes. Only valid with a module. */
	uint64_t offset;
	/** What the process calls the file, for the context's life; NULL without a module. */
	const char *path;
	/** Where the ELF header is in memory, and a hash of the page there; 0: nowhere. */
	taddr header;
	uint64_t fingerprint;
};

/** Finds or makes the module of @map, one of @maps. */
void mapping_resolve(struct unwind_context *context, const struct unwind_source *source,
	const struct maps *maps, const struct unwind_map *map, struct mapping *ret);
/**
 * After the maps changed without changing this line: whether the memory still
 * looks the same. (An inode number may come back with another file.)
 */
bool mapping_is_valid(const struct mapping *mapping, const struct unwind_source *source);

#endif
