// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/ring.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum {
	PAGE = 4096,
	DATA = 4096,
};

/** A ring as the kernel maps it, with us as the kernel. */
struct mapping {
	_Alignas(64) uint8_t page[PAGE];
	uint8_t data[DATA];
};

static struct perf_event_mmap_page *page_of(struct mapping *mapping)
{
	return (struct perf_event_mmap_page *)mapping->page;
}

// Appends a record whose body is @fill, as the kernel does: byte by byte around the end.
static void put(struct mapping *mapping, uint16_t size, uint8_t fill)
{
	struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = size};
	uint64_t head = page_of(mapping)->data_head;

	for (size_t i = 0; i < size; i++)
		mapping->data[(head + i) % DATA] =
			i < sizeof(header) ? ((uint8_t *)&header)[i] : fill;
	page_of(mapping)->data_head = head + size;
}

static void expect_record(struct ring *ring, uint16_t size, uint8_t fill)
{
	const struct perf_event_header *record = ring_peek(ring);
	const uint8_t *body = (const uint8_t *)record + sizeof(*record);

	assert_non_null(record);
	assert_int_equal(record->size, size);
	for (size_t i = 0; i < size - sizeof(*record); i++)
		assert_int_equal(body[i], fill);
	ring_skip(ring, record);
}

CASE(records_come_in_order_and_give_back_their_room)
{
	struct mapping *mapping = calloc(1, sizeof(*mapping));
	struct ring ring;

	ring_init(&ring, mapping, PAGE, DATA);
	assert_int_equal(ring_fill(&ring), 0);
	assert_null(ring_peek(&ring));
	put(mapping, 64, 1);
	put(mapping, 8, 0);
	assert_null(ring_peek(&ring));
	assert_int_equal(ring_fill(&ring), 72);
	expect_record(&ring, 64, 1);
	assert_int_equal(page_of(mapping)->data_tail, 64);
	expect_record(&ring, 8, 0);
	assert_null(ring_peek(&ring));
	assert_int_equal(page_of(mapping)->data_tail, 72);
	ring_deinit(&ring);
	free(mapping);
}

CASE(a_record_around_the_end_is_whole)
{
	struct mapping *mapping = calloc(1, sizeof(*mapping));
	struct ring ring;

	ring_init(&ring, mapping, PAGE, DATA);
	for (unsigned round = 0; round < 40; round++) {
		put(mapping, 1000, (uint8_t)round);
		put(mapping, 1016, (uint8_t)(round + 100));
		ring_fill(&ring);
		expect_record(&ring, 1000, (uint8_t)round);
		expect_record(&ring, 1016, (uint8_t)(round + 100));
	}
	ring_deinit(&ring);
	free(mapping);
}

static void expect_dropped(uint16_t size, uint64_t head)
{
	struct mapping *mapping = calloc(1, sizeof(*mapping));
	struct ring ring;

	ring_init(&ring, mapping, PAGE, DATA);
	put(mapping, 8, 0);
	((struct perf_event_header *)mapping->data)->size = size;
	page_of(mapping)->data_head = head;
	ring_fill(&ring);
	assert_null(ring_peek(&ring));
	// What cannot be read is not tried again.
	assert_null(ring_peek(&ring));
	assert_int_equal(page_of(mapping)->data_tail, head);
	ring_deinit(&ring);
	free(mapping);
}

CASE(what_is_no_record_empties_the_ring)
{
	expect_dropped(0, 8);
	expect_dropped(7, 8);
	expect_dropped(16, 8);
	expect_dropped(8, 4);
	expect_dropped(8, 2 * DATA);
	expect_dropped(8, UINT64_MAX);
}

RUN_CASES(ADD(records_come_in_order_and_give_back_their_room),
	ADD(a_record_around_the_end_is_whole), ADD(what_is_no_record_empties_the_ring));
