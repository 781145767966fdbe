// SPDX-License-Identifier: MIT
// Copyright the tracer authors
// Every DIE of programs of all versions of DWARF (DWARF_OF lists them), as libdw reads it; then
// the same with damage.
#include "unit.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dwarf_program.h"
#include "unwind/dwarf/die_reader.h"

struct sections {
	struct dwarf_bytes info, abbreviations;
};

static void compare_extent(const struct die_entry *entry, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr low, high;

	if (entry->tag != DW_TAG_subprogram && entry->tag != DW_TAG_inlined_subroutine)
		return;
	if (dwarf_attr(die, DW_AT_ranges, &attribute)) {
		assert_int_equal(entry->extent, DIE_EXTENT_RANGES);
	} else if (!dwarf_lowpc(die, &low) && !dwarf_highpc(die, &high)) {
		assert_int_equal(entry->extent, DIE_EXTENT_SIMPLE);
		assert_int_equal(entry->low, low);
		assert_int_equal(entry->high, high);
	} else {
		assert_int_equal(entry->extent, DIE_EXTENT_NONE);
	}
}

static void compare_attributes(const struct die_reader *reader, Dwarf_Die *die)
{
	static const uint16_t names[] = {
		DW_AT_name, DW_AT_call_line, DW_AT_abstract_origin, DW_AT_const_value};
	struct die_value values[4];

	assert_true(die_reader_find(reader, dwarf_dieoffset(die), names, 4, values));
	for (int i = 0; i < 4; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Word expected;
		uint64_t number;

		if (!dwarf_attr(die, names[i], &attribute)) {
			assert_int_equal(values[i].form, 0);
			continue;
		}
		assert_int_equal(values[i].form, dwarf_whatform(&attribute));
		if (values[i].form != DW_FORM_implicit_const)
			assert_ptr_equal(values[i].bytes.at, attribute.valp);
		if (die_value_number(reader, &values[i], &number)) {
			assert_int_equal(dwarf_formudata(&attribute, &expected), 0);
			assert_int_equal(number, expected);
		}
	}
}

/** All that is in @parent; returns how many there are. */
static size_t compare_children(struct die_reader *reader, Dwarf_Die *parent)
{
	size_t count = 0;
	Dwarf_Die die;

	assert_int_equal(dwarf_child(parent, &die), 0);
	do {
		struct die_entry entry;
		Dwarf_Die child;

		assert_true(die_reader_next(reader, &entry));
		assert_int_equal(entry.offset, dwarf_dieoffset(&die));
		assert_int_equal(entry.tag, dwarf_tag(&die));
		assert_int_equal(entry.has_children, dwarf_haschildren(&die));
		compare_extent(&entry, &die);
		compare_attributes(reader, &die);
		count++;
		// Every other one is skipped, at all depths.
		if (!entry.has_children || (count % 2 && entry.tag != DW_TAG_subprogram))
			die_reader_skip_children(reader, &entry);
		else if (!dwarf_child(&die, &child))
			count += compare_children(reader, &die);
		else
			assert_false(die_reader_next(reader, &entry));
	} while (!dwarf_siblingof(&die, &die));
	assert_false(die_reader_next(reader, &(struct die_entry){0}));
	assert_false(reader->bytes.is_bad);
	return count;
}

static void compare_file(const char *path)
{
	struct elf_file *file = dwarf_program_open(path);
	const struct dwarf_bytes info = dwarf_program_section(file, ".debug_info");
	const struct dwarf_bytes abbreviations = dwarf_program_section(file, ".debug_abbrev");
	Dwarf_Off offset = 0, next;
	size_t header_size, count = 0;

	while (!dwarf_nextcu(file->dwarf, offset, &next, &header_size, NULL, NULL, NULL)) {
		struct die_reader reader;
		struct die_unit peeked;
		struct die_entry root;
		Dwarf_Die unit;

		assert_non_null(dwarf_offdie(file->dwarf, offset + header_size, &unit));
		assert_true(die_reader_begin(&reader, &info, &abbreviations, offset));
		assert_int_equal(die_reader_offset(&reader), offset + header_size);
		assert_true(die_reader_peek(&info, &abbreviations, offset, &peeked));
		assert_int_equal(peeked.root, offset + header_size);
		assert_int_equal(peeked.next, next);
		assert_int_equal(peeked.tag, dwarf_tag(&unit));
		assert_true(die_reader_next(&reader, &root));
		count += compare_children(&reader, &unit);
		die_reader_end(&reader);
		offset = next;
	}
	assert_true(count > 100);
	elf_file_destroy(file);
}

CASE(as_libdw_reads_them)
{
	dwarf_program_each(compare_file);
}

/** In memory that ends where the section ends. */
static struct dwarf_bytes copy(const struct dwarf_bytes *from)
{
	size_t size = (size_t)(from->end - from->at);
	uint8_t *to = memcpy(xmalloc(size), from->at, size);

	return (struct dwarf_bytes){.at = to, .end = to + size};
}

static void damage(const struct dwarf_bytes *bytes, unsigned *seed)
{
	size_t size = (size_t)(bytes->end - bytes->at);

	for (int i = rand_r(seed) % 8; i >= 0; i--)
		((uint8_t *)bytes->at)[(size_t)rand_r(seed) % size] = (uint8_t)rand_r(seed);
}

/** Goes through everything; that it comes back is what is tested. */
static void read_all(struct die_reader *reader, unsigned depth)
{
	static const uint16_t name = DW_AT_name;
	struct die_entry entry;
	struct die_value value;

	while (die_reader_next(reader, &entry)) {
		if (entry.offset % 5 == 0)
			die_reader_find(reader, entry.offset + entry.offset % 7, &name, 1, &value);
		if (entry.has_children && depth < 100 && entry.offset % 3)
			read_all(reader, depth + 1);
		else
			die_reader_skip_children(reader, &entry);
	}
}

static void damage_file(const char *path)
{
	struct elf_file *file = dwarf_program_open(path);
	const struct dwarf_bytes info = dwarf_program_section(file, ".debug_info");
	const struct dwarf_bytes abbreviations = dwarf_program_section(file, ".debug_abbrev");
	unsigned seed = 1;

	for (int i = 0; i < 300; i++) {
		struct sections damaged = {copy(&info), copy(&abbreviations)};
		struct die_unit peeked;
		struct die_reader reader;

		damage(&damaged.info, &seed);
		if (i % 2)
			damage(&damaged.abbreviations, &seed);
		// The start of a unit is worth more damage than the rest.
		if (i % 3 == 0)
			((uint8_t *)damaged.info.at)[rand_r(&seed) % 16] = (uint8_t)rand_r(&seed);
		die_reader_peek(&damaged.info, &damaged.abbreviations, 0, &peeked);
		if (die_reader_begin(&reader, &damaged.info, &damaged.abbreviations, 0))
			read_all(&reader, 0);
		die_reader_end(&reader);
		free((void *)damaged.info.at);
		free((void *)damaged.abbreviations.at);
	}
	elf_file_destroy(file);
}

CASE(damaged)
{
	dwarf_program_each(damage_file);
}

RUN_CASES(ADD(as_libdw_reads_them), ADD(damaged));
