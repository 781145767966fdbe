// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MAPS_H
#define UNWIND_MAPS_H

/**
 * The memory map of a process, parsed from the text of /proc/PID/maps. A list
 * is never changed after it was parsed, so forked spaces share it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/taddr.h"

/** One line of /proc/PID/maps. */
struct unwind_map {
	taddr start;
	/** First address behind the mapping. */
	taddr end;
	/** Where in the file @start is, in bytes. */
	uint64_t offset;
	/** As makedev() composes it; on btrfs and overlayfs stat() shows another one. */
	uint64_t device;
	/** 0 for memory without a file. */
	uint64_t inode;
	bool is_executable;
	/** The file has no name any more (or another file has it). */
	bool is_deleted;
	/** As the kernel calls it, "" for anonymous memory; newlines in paths are restored. */
	const char *name;
	/** The file's path in the process's root without the mark of deletion; NULL for no file. */
	const char *path;
};

struct maps {
	/** Sorted by address, without overlaps. */
	struct unwind_map *data;
	size_t count;
	unsigned references;
	struct arena arena;
};

/**
 * Parses @length bytes of @text; lines that make no sense are left out. The
 * caller has the only reference. @text is not needed afterwards.
 */
struct maps *maps_parse(const char *text, size_t length);
/** Another reference to @maps, which is returned. */
struct maps *maps_ref(struct maps *maps);
/** Gives a reference back; NULL is allowed. */
void maps_unref(struct maps *maps);
/** The mapping that holds @address, or NULL. */
const struct unwind_map *maps_find(const struct maps *maps, taddr address);

#endif
