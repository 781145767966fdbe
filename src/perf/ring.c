// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/ring.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum {
	/** A record's size is a 16-bit number. */
	RECORD_MOST = 64 * 1024,
};

void ring_init(struct ring *ring, void *page, size_t offset, size_t size)
{
	*ring = (struct ring){
		.page = page,
		.data = (const uint8_t *)page + offset,
		.size = size,
		.scratch = xmalloc(RECORD_MOST),
	};
	ring->tail = ring->head = ring->page->data_tail;
}

void ring_deinit(struct ring *ring)
{
	free(ring->scratch);
	*ring = (struct ring){0};
}

size_t ring_fill(struct ring *ring)
{
	// Pairs with the kernel's barrier between the data and the head.
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	return (size_t)(ring->head - ring->tail);
}

static void release(struct ring *ring, uint64_t tail)
{
	ring->tail = tail;
	// What was read must have been read before the kernel may write over it.
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

const struct perf_event_header *ring_peek(struct ring *ring)
{
	uint64_t left = ring->head - ring->tail;
	size_t at = (size_t)(ring->tail & (ring->size - 1));
	const struct perf_event_header *record;
	size_t whole = ring->size - at;

	if (!left)
		return NULL;
	record = (const struct perf_event_header *)(ring->data + at);
	// Records are multiples of 8 bytes, so a header is never torn apart.
	if (left > ring->size || left < sizeof(*record) || whole < sizeof(*record) ||
		record->size < sizeof(*record) || record->size > left) {
		release(ring, ring->head);
		return NULL;
	}
	if (record->size <= whole)
		return record;
	memcpy(ring->scratch, record, whole);
	memcpy(ring->scratch + whole, ring->data, record->size - whole);
	return (const struct perf_event_header *)ring->scratch;
}

void ring_skip(struct ring *ring, const struct perf_event_header *record)
{
	release(ring, ring->tail + record->size);
}
