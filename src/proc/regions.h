// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_REGIONS_H
#define SRC_PROC_REGIONS_H

/** Which files are mapped in a range of a task's memory. */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/taddr.h"

struct region {
	taddr start, end;
	uint32_t major, minor;
	uint64_t inode;
	/** As in /proc/TID/maps, without the mark of deleted files; good until the next call. */
	const char *name;
};

/** Zero-initialised; @text holds the name, and the maps of kernels that cannot be asked. */
struct regions {
	int tid;
	int maps;
	/** The kernel has no PROCMAP_QUERY. */
	bool read_whole;
	struct buf text;
};

void regions_init(struct regions *regions, int tid);
void regions_deinit(struct regions *regions);
/** The first file mapped at or after @address; false if there is none below @end. */
bool regions_next(struct regions *regions, taddr address, taddr end, struct region *ret);
/** Whether what regions_next() said last is true: false if the kernel tells nothing. */
bool regions_told(const struct regions *regions);

#endif
