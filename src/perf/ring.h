// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_RING_H
#define SRC_PERF_RING_H

/**
 * Reads the records of a perf ring buffer (perf_event_open(2), "MMAP layout"): a
 * page of bookkeeping followed by a power of two of bytes that the kernel fills
 * while we take. Works on bytes alone; nothing in them is believed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_header;
struct perf_event_mmap_page;

/** Zero-initialised is none. */
struct ring {
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	/** Bytes of @data, a power of two. */
	size_t size;
	/** Where we are, and how far the kernel was when we looked last. */
	uint64_t tail, head;
	/** Room for a record that is torn apart by the end of the ring. */
	uint8_t *scratch;
};

/** @page is the mapping: its data are @size bytes that begin @offset bytes after it. */
void ring_init(struct ring *ring, void *page, size_t offset, size_t size);
/** Frees what the ring allocated; the mapping is the caller's. */
void ring_deinit(struct ring *ring);
/** Looks how far the kernel is: bytes to be read now. */
size_t ring_fill(struct ring *ring);
/**
 * The next record in one piece and its size, or NULL: nothing left up to the last look, or
 * no record can be there, which empties the ring. Valid until ring_skip().
 */
const struct perf_event_header *ring_peek(struct ring *ring);
/** Past the record that ring_peek() gave; its room is the kernel's again. */
void ring_skip(struct ring *ring, const struct perf_event_header *record);

#endif
