// SPDX-License-Identifier: MIT
// Copyright the tracer authors
// Units made by hand as DWARF 5, 7.5 says, whose DIE has one value of some form and then another:
// where libdw finds the second one, we do. Compilers use few of the forms.
#include "unit.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "unwind/dwarf/die_reader.h"
#include "unwind/elf/elf_writer.h"

enum {
	/** The value: a number, the size of a block, a short string, or DW_FORM_data1. */
	VALUE = DW_FORM_data1,
	/** More than any value takes. */
	VALUE_SIZE = 32,
};

struct made {
	struct dwarf_layout layout;
	struct buf info, abbreviations;
};

static void put(struct buf *buf, uint64_t number, size_t size)
{
	buf_bytes(buf, (const char *)&number, size);
}

static void put_unsigned(struct buf *buf, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		put(buf, number | 0x80, 1);
	put(buf, number, 1);
}

static void put_attribute(struct buf *buf, uint64_t name, uint64_t form)
{
	put_unsigned(buf, name);
	put_unsigned(buf, form);
	if (form == DW_FORM_implicit_const)
		put_unsigned(buf, VALUE);
}

static void make(struct made *made, uint64_t form)
{
	const struct dwarf_layout *layout = &made->layout;
	struct buf *info = &made->info, *abbreviations = &made->abbreviations, rest = {0};

	buf_reset(info);
	buf_reset(abbreviations);
	put(&rest, layout->version, 2);
	if (layout->version == 5)
		put(&rest, DW_UT_compile | layout->address_size << 8, 2);
	put(&rest, 0, layout->offset_size);
	if (layout->version < 5)
		put(&rest, layout->address_size, 1);
	put(&rest, 1, 1);
	put(&rest, VALUE, 8);
	for (int i = 8; i < VALUE_SIZE; i++)
		put(&rest, 0, 1);
	if (layout->offset_size == 8)
		put(info, UINT32_MAX, 4);
	put(info, rest.length, layout->offset_size);
	buf_bytes(info, rest.data, rest.length);
	buf_deinit(&rest);

	put_unsigned(abbreviations, 1);
	put_unsigned(abbreviations, DW_TAG_compile_unit);
	put(abbreviations, DW_CHILDREN_no, 1);
	put_attribute(abbreviations, DW_AT_producer, form);
	put_attribute(abbreviations, DW_AT_language, DW_FORM_data1);
	put_attribute(abbreviations, 0, 0);
	put_unsigned(abbreviations, 0);
}

/** Where libdw finds the second value, counted from the DIE; 0: it does not. */
static size_t ask_libdw(const struct made *made, Elf *like)
{
	struct elf_writer writer = {0};
	cleanup_close int fd = -1;
	Dwarf_Attribute attribute;
	size_t header_size, at;
	Dwarf_Off next;
	Dwarf *dwarf;
	Dwarf_Die die;

	elf_writer_add(&writer, ".debug_info", made->info.data, made->info.length, 0);
	elf_writer_add(
		&writer, ".debug_abbrev", made->abbreviations.data, made->abbreviations.length, 0);
	fd = elf_writer_finish(&writer, like);
	elf_writer_deinit(&writer);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	assert_non_null(dwarf);
	assert_int_equal(dwarf_nextcu(dwarf, 0, &next, &header_size, NULL, NULL, NULL), 0);
	assert_non_null(dwarf_offdie(dwarf, header_size, &die));
	at = dwarf_attr(&die, DW_AT_language, &attribute)
		     ? (size_t)(attribute.valp - (const unsigned char *)die.addr)
		     : 0;
	dwarf_end(dwarf);
	return at;
}

static struct dwarf_bytes bytes_of(const struct buf *buf)
{
	const uint8_t *start = (const uint8_t *)buf->data;

	return (struct dwarf_bytes){.at = start, .end = start + buf->length};
}

/** The same by our reader; what the first value is, if it is a number, is VALUE. */
static size_t ask_us(const struct made *made, bool *is_number_ret)
{
	static const uint16_t names[] = {DW_AT_producer, DW_AT_language};
	const struct dwarf_bytes info = bytes_of(&made->info);
	const struct dwarf_bytes abbreviations = bytes_of(&made->abbreviations);
	struct die_value values[ARRAY_SIZE(names)];
	struct die_reader reader;
	uint64_t root, number;
	size_t at = 0;

	assert_true(die_reader_begin(&reader, &info, &abbreviations, 0));
	root = die_reader_offset(&reader);
	*is_number_ret = false;
	if (die_reader_find(&reader, root, names, ARRAY_SIZE(names), values)) {
		at = (size_t)(values[1].bytes.at - info.at) - root;
		*is_number_ret = die_value_number(&reader, &values[0], &number);
		if (*is_number_ret)
			assert_int_equal(number, VALUE);
	}
	die_reader_end(&reader);
	return at;
}

/** Compares all forms; returns those whose number die_value_number() takes, a bit for each code. */
static uint64_t compare(unsigned version, unsigned offset_size, unsigned *known_ret)
{
	static const unsigned more[] = {DW_FORM_GNU_addr_index, DW_FORM_GNU_str_index,
		DW_FORM_GNU_ref_alt, DW_FORM_GNU_strp_alt, 0x1f03, 0x1f22};
	struct made made = {{version, 8, offset_size}};
	cleanup_close int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint64_t numbers = 0;
	Elf *like;

	elf_version(EV_CURRENT);
	like = elf_begin(self, ELF_C_READ, NULL);
	assert_non_null(like);
	*known_ret = 0;
	for (unsigned i = 1; i < 64 + ARRAY_SIZE(more); i++) {
		unsigned form = i < 64 ? i : more[i - 64];
		bool is_number;
		size_t at;

		make(&made, form);
		at = ask_us(&made, &is_number);
		if (at != ask_libdw(&made, like))
			fail_msg("form 0x%x of version %u", form, version);
		*known_ret += at != 0;
		if (is_number)
			numbers |= UINT64_C(1) << i;
	}
	elf_end(like);
	buf_deinit(&made.info);
	buf_deinit(&made.abbreviations);
	return numbers;
}

CASE(as_large_as_for_libdw)
{
	static const unsigned numbers[] = {DW_FORM_addr, DW_FORM_data1, DW_FORM_data2,
		DW_FORM_data4, DW_FORM_data8, DW_FORM_udata, DW_FORM_sec_offset,
		DW_FORM_implicit_const};
	uint64_t expected = 0;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		expected |= UINT64_C(1) << numbers[i];
	for (unsigned version = 2; version <= 5; version++) {
		for (unsigned offset_size = 4; offset_size <= 8; offset_size += 4) {
			unsigned known;

			assert_int_equal(compare(version, offset_size, &known), expected);
			// All that <dwarf.h> names.
			assert_int_equal(known, 43 + 4);
		}
	}
}

RUN_CASES(ADD(as_large_as_for_libdw));
