// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_MAP_QUERY_H
#define SRC_PROC_MAP_QUERY_H

/**
 * One mapping of a task, asked of its /proc/TID/maps by the ioctl PROCMAP_QUERY (Linux 6.11)
 * instead of reading the whole file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

enum map_query_flag {
	/** The next one above, if nothing is mapped at the address. */
	MAP_QUERY_NEXT = 0x10,
	/** Only of files. */
	MAP_QUERY_FILE = 0x20,
};

struct map_answer {
	taddr start, end;
	uint64_t offset, inode;
	uint32_t major, minor;
};

/** /proc/@tid/maps to ask by map_query(); the caller closes it. -1 and errno if it cannot be. */
int map_query_open(int tid);
/**
 * The mapping at @address by @maps, of map_query_open(); @flags: MAP_QUERY_*. Its name goes to
 * @name, which has room for @size bytes ("" if it has none); @size may be 0. False if there is
 * none (errno ENOENT) or the kernel does not know the question (ENOTTY).
 */
bool map_query(
	int maps, taddr address, unsigned flags, char *name, size_t size, struct map_answer *ret);

#endif
