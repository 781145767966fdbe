// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Memory is read from this process itself.

#include "unit.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/mem.h"

enum { PAGES = 64 };

/** Pages with a pattern; the last one is unreadable. */
struct stretch {
	struct mem mem;
	uint8_t *bytes;
	taddr start, end;
};

static uint8_t pattern(size_t at)
{
	return (uint8_t)(at * 7 + at / MEM_PAGE);
}

static void begin(struct stretch *stretch)
{
	size_t size = PAGES * MEM_PAGE;

	mem_init(&stretch->mem, getpid());
	stretch->bytes =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(stretch->bytes, MAP_FAILED);
	for (size_t i = 0; i < size; i++)
		stretch->bytes[i] = pattern(i);
	stretch->start = (uintptr_t)stretch->bytes;
	stretch->end = stretch->start + size - MEM_PAGE;
	assert_int_equal(munmap(stretch->bytes + size - MEM_PAGE, MEM_PAGE), 0);
}

static void end(struct stretch *stretch)
{
	munmap(stretch->bytes, (PAGES - 1) * MEM_PAGE);
	mem_deinit(&stretch->mem);
}

/** Reading @size bytes at @offset gives @expected bytes, all of them right. */
static void assert_read(struct stretch *stretch, size_t offset, size_t size, size_t expected)
{
	static uint8_t buffer[PAGES * MEM_PAGE];

	memset(buffer, 0, sizeof(buffer));
	assert_int_equal(mem_read(&stretch->mem, stretch->start + offset, buffer, size), expected);
	for (size_t i = 0; i < expected; i++)
		assert_int_equal(buffer[i], pattern(offset + i));
}

CASE(any_place_any_size)
{
	static const size_t sizes[] = {1, 8, 4095, 4096, 4097, 8192, 16384, 16385, 100000};
	struct stretch stretch;

	begin(&stretch);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t offset = 0; offset < 70000; offset += 997) {
			if (offset % 3 == 0)
				mem_forget(&stretch.mem);
			assert_read(&stretch, offset, sizes[i], sizes[i]);
		}
	}
	assert_read(&stretch, 0, 0, 0);
	end(&stretch);
}

CASE(reading_stops_at_the_first_unreadable_byte)
{
	size_t size = (PAGES - 1) * MEM_PAGE;
	struct stretch stretch;

	begin(&stretch);
	assert_read(&stretch, size - 10, 20, 10);
	assert_read(&stretch, size - 5000, 10000, 5000);
	assert_read(&stretch, size - 50000, 60000, 50000);
	assert_read(&stretch, size, 10, 0);
	assert_read(&stretch, size, 100000, 0);
	end(&stretch);
}

CASE(the_end_of_the_address_space)
{
	struct stretch stretch;
	char buffer[64];

	begin(&stretch);
	assert_int_equal(mem_read(&stretch.mem, UINT64_MAX - 8, buffer, sizeof(buffer)), 0);
	assert_int_equal(mem_read(&stretch.mem, 0, buffer, sizeof(buffer)), 0);
	mem_expect(&stretch.mem, UINT64_MAX - 8, 100);
	assert_read(&stretch, 100, 100, 100);
	end(&stretch);
}

CASE(several_pages_are_one_question)
{
	struct stretch stretch;

	begin(&stretch);
	assert_read(&stretch, 4000, 10000, 10000);
	assert_int_equal(stretch.mem.reads, 1);
	assert_read(&stretch, 0, 16384, 16384);
	assert_int_equal(stretch.mem.reads, 1);
	mem_forget(&stretch.mem);
	assert_read(&stretch, 4000, 10, 10);
	assert_int_equal(stretch.mem.reads, 2);
	end(&stretch);
}

CASE(what_is_expected_comes_along)
{
	struct stretch stretch;

	begin(&stretch);
	mem_expect(&stretch.mem, stretch.start + 20 * MEM_PAGE + 100, 6000);
	assert_read(&stretch, 0, 100, 100);
	assert_int_equal(stretch.mem.reads, 1);
	assert_read(&stretch, 20 * MEM_PAGE + 100, 6000, 6000);
	assert_int_equal(stretch.mem.reads, 1);
	// Only once, and not after the task ran.
	mem_expect(&stretch.mem, stretch.start + 30 * MEM_PAGE, 100);
	mem_forget(&stretch.mem);
	assert_read(&stretch, 0, 100, 100);
	assert_read(&stretch, 30 * MEM_PAGE, 100, 100);
	assert_int_equal(stretch.mem.reads, 3);
	end(&stretch);
}

CASE(vain_expectations_do_no_harm)
{
	struct stretch stretch;

	begin(&stretch);
	// Unreadable, half readable, in the place of what is read, and too much.
	mem_expect(&stretch.mem, stretch.end, 100);
	assert_read(&stretch, 0, 8192, 8192);
	mem_forget(&stretch.mem);
	mem_expect(&stretch.mem, stretch.end - 100, 200);
	assert_read(&stretch, 0, 8192, 8192);
	mem_forget(&stretch.mem);
	mem_expect(&stretch.mem, stretch.start + (size_t)MEM_CACHED_PAGES * MEM_PAGE, 8192);
	assert_read(&stretch, 0, 8192, 8192);
	assert_read(&stretch, (size_t)MEM_CACHED_PAGES * MEM_PAGE, 8192, 8192);
	mem_forget(&stretch.mem);
	mem_expect(&stretch.mem, stretch.start, SIZE_MAX);
	assert_read(&stretch, 0, 8192, 8192);
	end(&stretch);
}

RUN_CASES(ADD(any_place_any_size), ADD(reading_stops_at_the_first_unreadable_byte),
	ADD(the_end_of_the_address_space), ADD(several_pages_are_one_question),
	ADD(what_is_expected_comes_along), ADD(vain_expectations_do_no_harm));
