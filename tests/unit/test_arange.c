// SPDX-License-Identifier: MIT
// Copyright the tracer authors
// What libdw reads from programs of all versions of DWARF (DWARF_OF lists them), and damage.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dwarf_program.h"
#include "unwind/dwarf/arange.h"
#include "unwind/dwarf/die_reader.h"

struct expected {
	Dwarf_Aranges *aranges;
	struct dwarf_bytes info;
	size_t count;
};

static void compare(void *context, uint64_t unit, uint64_t low, uint64_t high)
{
	struct expected *expected = context;
	Dwarf_Arange *arange = dwarf_getarange_addr(expected->aranges, low);
	Dwarf_Addr start;
	Dwarf_Word length;
	Dwarf_Off offset;

	assert_non_null(arange);
	assert_int_equal(dwarf_getarangeinfo(arange, &start, &length, &offset), 0);
	assert_int_equal(low, start);
	assert_int_equal(high, start + length);
	assert_int_equal(die_reader_root(&expected->info, unit), offset);
	expected->count++;
}

static void count(void *context, uint64_t unit, uint64_t low, uint64_t high)
{
	assert_true(low <= high);
	(void)unit;
	++*(size_t *)context;
}

static void damage(const struct dwarf_bytes *bytes)
{
	size_t size = (size_t)(bytes->end - bytes->at), entries = 0;
	unsigned seed = 1;

	for (int i = 0; i < 3000; i++) {
		size_t left = i % 2 ? size : (size_t)rand_r(&seed) % size;
		uint8_t *copy = memcpy(xmalloc(left + 1), bytes->at, left);
		// In memory that ends where the section ends.
		uint8_t *exact = xreallocarray(copy, 1, left + !left);

		for (int j = i % 4; left && j < 4; j++)
			exact[(size_t)rand_r(&seed) % left] = (uint8_t)rand_r(&seed);
		arange_read(
			&(struct dwarf_bytes){.at = exact, .end = exact + left}, count, &entries);
		free(exact);
	}
	assert_true(entries);
}

static void check_file(const char *path)
{
	struct elf_file *file = dwarf_program_open(path);
	struct expected expected = {0};
	struct dwarf_bytes bytes;
	size_t libdw_count;

	assert_int_equal(dwarf_getaranges(file->dwarf, &expected.aranges, &libdw_count), 0);
	expected.info = dwarf_program_section(file, ".debug_info");
	bytes = dwarf_program_section(file, ".debug_aranges");
	arange_read(&bytes, compare, &expected);
	assert_int_equal(expected.count, libdw_count);
	assert_true(libdw_count);
	damage(&bytes);
	elf_file_destroy(file);
}

CASE(as_libdw_reads_them)
{
	dwarf_program_each(check_file);
}

RUN_CASES(ADD(as_libdw_reads_them));
