// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MODULE_SPACE_H
#define UNWIND_MODULE_SPACE_H

/**
 * The executable mappings of one address space and the modules behind them,
 * found when a walk first meets them. Internal.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/module/mapping.h"
#include "unwind/unwind.h"

struct maps;
struct perf_map;

enum {
	/** Addresses remembered to be in no executable mapping. */
	SPACE_MISSES = 8,
};

enum space_range_state {
	/** Never looked at. */
	SPACE_RANGE_NEW,
	/** From an earlier reading of the maps: to be checked before use. */
	SPACE_RANGE_OLD,
	SPACE_RANGE_READY,
};

/** One executable mapping. */
struct space_range {
	taddr start, end;
	/** Index in the maps. */
	size_t map;
	enum space_range_state state;
	/** The walk that found it still mapped, in an unwatched space. */
	uint64_t checked;
	/** As maps calls it; lives as long as the context. NULL until first met. */
	const char *name;
	struct mapping mapping;
};

/** What a second engine keeps for an address space between walks; destroyed with the space. */
struct space_engine {
	void (*destroy)(struct space_engine *engine);
	/** The generation of the space that its caches are of. */
	uint64_t generation;
};

struct unwind_space {
	struct unwind_context *context;
	enum unwind_arch arch;
	/** Counts readings of the maps. */
	uint64_t generation;
	bool maps_changed;
	/** Code was mapped since the maps were read, where there was none. */
	bool code_added;
	/** See unwind_space_set_unwatched(). */
	bool is_unwatched;
	/** Counts walks; and the one in which the maps were read last. */
	uint64_t walks, last_read;
	/** NULL before the first walk. */
	struct maps *maps;
	/** Sorted by address. */
	struct space_range *ranges;
	size_t count;
	/** Index of the range found last. */
	size_t last;
	taddr misses[SPACE_MISSES];
	size_t miss_count;
	/** Names of generated code; NULL before the first frame in such code. */
	struct perf_map *perf_map;
	/** How the program began; only if @start_is_known, once it was asked. */
	struct unwind_start start;
	bool start_asked, start_is_known;
	/** Of the second engine; NULL before its first walk. */
	struct space_engine *engine;
};

/** Reads the maps if they changed since the last time. False if there are none to be had. */
bool space_update(struct unwind_space *space, const struct unwind_source *source);
/**
 * The executable mapping that holds @address, its module resolved; NULL if none.
 * *@may_reread (of one walk) allows to read the maps again for an unknown
 * address and becomes false by it. Valid until the maps are read again.
 */
const struct space_range *space_find(struct unwind_space *space, const struct unwind_source *source,
	taddr address, bool *may_reread);
/**
 * Fills in where @frame's pc, in its form for look-ups, is. False if it is in no executable
 * mapping; then only what is mapped there is known. @may_reread as in space_find().
 */
bool space_locate(struct unwind_space *space, const struct unwind_source *source, bool *may_reread,
	struct unwind_frame *frame);

#endif
