// SPDX-License-Identifier: MIT
// Copyright the tracer authors
// What libdw reads from programs of all versions of DWARF (DWARF_OF lists them), and damage.
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/arange.h"
#include "unwind/die_reader.h"
#include "unwind/elf_file.h"

static struct dwarf_bytes section(const struct elf_file *file, const char *name)
{
	const Elf_Data *data = elf_file_dwarf_data(file, name);

	assert_non_null(data);
	return (struct dwarf_bytes){
		.at = data->d_buf, .end = (const uint8_t *)data->d_buf + data->d_size};
}

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
	enum miss_reason reason = MISS_NONE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_file *file = fd < 0 ? NULL : elf_file_open(fd, path, &reason);
	Dwarf *dwarf = file ? elf_file_dwarf(file, /* with_locations= */ false) : NULL;
	struct expected expected = {0};
	struct dwarf_bytes bytes;
	size_t libdw_count;

	assert_non_null(dwarf);
	assert_int_equal(dwarf_getaranges(dwarf, &expected.aranges, &libdw_count), 0);
	expected.info = section(file, ".debug_info");
	bytes = section(file, ".debug_aranges");
	arange_read(&bytes, compare, &expected);
	assert_int_equal(expected.count, libdw_count);
	assert_true(libdw_count);
	damage(&bytes);
	elf_file_destroy(file);
}

CASE(as_libdw_reads_them)
{
	const char *list = getenv("DWARF_OF");
	cleanup_free char *paths = xstrdup(list ? list : "");
	char *rest = paths;
	const char *path;

	if (!*paths) {
		print_message("DWARF_OF names no programs\n");
		skip();
	}
	while ((path = strsep(&rest, ":")))
		check_file(path);
}

RUN_CASES(ADD(as_libdw_reads_them));
