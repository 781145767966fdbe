// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_MEM_H
#define SRC_PROC_MEM_H

/**
 * The memory of a stopped task. Small reads go through a few cached pages, which
 * are right only as long as the task does not run: mem_forget() before each stop.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

enum {
	MEM_PAGE = 4096,
	MEM_CACHED_PAGES = 16,
	/** Longer reads go past the cache. */
	MEM_CACHED_READ_MOST = 4 * MEM_PAGE,
};

struct mem {
	int tid;
	/** Page addresses + 1, so that zero means empty. */
	uint64_t tag[MEM_CACHED_PAGES];
	uint8_t *pages;
	/** Pages that the next read brings along, see mem_expect(). */
	taddr expected;
	size_t expected_count;
	/** Something could not be read, since mem_forget(), because we may not read any of it. */
	bool denied;
	/** Questions to the kernel, for tests and statistics. */
	uint64_t reads;
};

void mem_init(struct mem *mem, int tid);
void mem_deinit(struct mem *mem);
/** The task ran: cached pages are no longer true. */
void mem_forget(struct mem *mem);
/**
 * These @size bytes at @address will be read at this stop, too, if anything is read: asking
 * the kernel once for several places is cheaper. Too much at once is not expected.
 */
void mem_expect(struct mem *mem, taddr address, size_t size);
/**
 * Copies up to @size bytes at @address; returns how many could be read (a shorter
 * count means the next byte is unreadable).
 */
size_t mem_read(struct mem *mem, taddr address, void *data, size_t size);
/**
 * Writes up to @size bytes at @address, also where the task itself may not write; returns how
 * many. The task must be traced by us. What is cached is forgotten.
 */
size_t mem_write(struct mem *mem, taddr address, const void *data, size_t size);

#endif
