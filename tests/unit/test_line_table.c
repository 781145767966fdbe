// SPDX-License-Identifier: MIT
// Copyright the tracer authors
// What libdw reads from programs of all versions of DWARF (DWARF_OF lists them), tables made by
// hand as DWARF 5, 6.2 says, and damaged ones.
#include "unit.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "dwarf_program.h"
#include "unwind/dwarf/line_table.h"

static struct line_sections sections_of(const struct elf_file *file)
{
	return (struct line_sections){
		.lines = dwarf_program_section(file, ".debug_line"),
		.line_strings = dwarf_program_section(file, ".debug_line_str"),
		.strings = dwarf_program_section(file, ".debug_str"),
	};
}

static struct line_table *table_of(const struct elf_file *file, Dwarf_Die *unit)
{
	const struct line_sections sections = sections_of(file);
	uint8_t address_size, offset_size;
	Dwarf_Attribute attribute;
	const char *folder = NULL;
	Dwarf_Word offset;
	Dwarf_Die die;

	if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute) ||
		dwarf_formudata(&attribute, &offset) ||
		!dwarf_diecu(unit, &die, &address_size, &offset_size))
		return NULL;
	if (dwarf_attr(unit, DW_AT_comp_dir, &attribute))
		folder = dwarf_formstring(&attribute);
	return line_table_create(&sections, offset, address_size, folder);
}

static void compare_at(Dwarf_Die *unit, struct line_table *table, uint64_t address)
{
	Dwarf_Line *expected = dwarf_getsrc_die(unit, address);
	const struct line_row *row = line_table_find(table, address);
	int line = 0, column = 0;

	assert_int_equal(!row, !expected);
	if (!expected)
		return;
	dwarf_lineno(expected, &line);
	dwarf_linecol(expected, &column);
	assert_int_equal(row->line, line);
	assert_int_equal(row->column, column);
	assert_string_equal(line_table_file(table, row->file), dwarf_linesrc(expected, NULL, NULL));
}

/** How many rows libdw has for @unit. */
static size_t compare_unit(const struct elf_file *file, Dwarf_Die *unit)
{
	struct line_table *table = table_of(file, unit);
	size_t count = 0, file_count = 0;
	Dwarf_Lines *lines;
	Dwarf_Files *files;

	if (dwarf_getsrclines(unit, &lines, &count)) {
		assert_null(table);
		return 0;
	}
	assert_non_null(table);
	for (size_t i = 0; i < count; i++) {
		Dwarf_Addr address;

		dwarf_lineaddr(dwarf_onesrcline(lines, i), &address);
		compare_at(unit, table, address - 1);
		compare_at(unit, table, address);
		compare_at(unit, table, address + 1);
	}
	assert_int_equal(dwarf_getsrcfiles(unit, &files, &file_count), 0);
	for (size_t i = 0; i < file_count; i++)
		assert_string_equal(line_table_file(table, i), dwarf_filesrc(files, i, NULL, NULL));
	assert_null(line_table_file(table, file_count));
	line_table_destroy(table);
	return count;
}

static void compare_file(const char *path)
{
	struct elf_file *file = dwarf_program_open(path);
	Dwarf_Off offset = 0, next;
	size_t header_size, count = 0;

	while (!dwarf_nextcu(file->dwarf, offset, &next, &header_size, NULL, NULL, NULL)) {
		Dwarf_Die unit;

		assert_non_null(dwarf_offdie(file->dwarf, offset + header_size, &unit));
		count += compare_unit(file, &unit);
		offset = next;
	}
	assert_true(count > 100);
	elf_file_destroy(file);
}

CASE(as_libdw_reads_them)
{
	dwarf_program_each(compare_file);
}

/** A table of DWARF 4 being made by hand. */
struct made {
	struct buf header, program, all;
	/** @all, in memory that ends where it ends. */
	uint8_t *exact;
	struct line_table *table;
};

static void put(struct buf *buf, const char *bytes, size_t size)
{
	buf_bytes(buf, bytes, size);
}

#define PUT(buf, bytes) put(buf, bytes, sizeof(bytes) - 1)

static void put_number(struct buf *buf, uint64_t number, size_t size)
{
	put(buf, (const char *)&number, size);
}

/** The first @size bytes; asks for everything, so that nothing is beyond their end. */
static void read_made(struct made *made, size_t size)
{
	struct line_sections sections;

	line_table_destroy(made->table);
	free(made->exact);
	made->exact = xmalloc(size + !size);
	memcpy(made->exact, made->all.data, size);
	sections = (struct line_sections){.lines = {.at = made->exact, .end = made->exact + size}};
	made->table = line_table_create(&sections, 0, 8, "/folder");
	for (uint64_t i = 0; made->table && i < 100; i++) {
		const struct line_row *row = line_table_find(made->table, 0x1000 + i);

		line_table_file(made->table, i);
		if (row)
			line_table_file(made->table, row->file);
	}
}

/** @operations: in one instruction. Files: 1 is a.c in the unit's folder, 2 is /b/b.c. */
static void make(struct made *made, uint8_t operations)
{
	struct buf *header = &made->header;

	// Instructions of 4 bytes; lines from -3 in a range of 12; 13 opcodes.
	PUT(header, "\4");
	put_number(header, operations, 1);
	PUT(header, "\1\xfd\xc\xd"
		    "\0\1\1\1\1\0\0\0\1\0\0\1"
		    "/b\0\0"
		    "a.c\0\0\0\0b.c\0\1\0\0\0");
	put_number(&made->all, 2 + 4 + header->length + made->program.length, 4);
	put_number(&made->all, 4, 2);
	put_number(&made->all, header->length, 4);
	put(&made->all, header->data, header->length);
	put(&made->all, made->program.data, made->program.length);
	read_made(made, made->all.length);
}

static void set_address(struct made *made, uint64_t address)
{
	PUT(&made->program, "\0\x9\2");
	put_number(&made->program, address, 8);
}

static void unmake(struct made *made)
{
	line_table_destroy(made->table);
	free(made->exact);
	buf_deinit(&made->header);
	buf_deinit(&made->program);
	buf_deinit(&made->all);
}

static void check(struct made *made, uint64_t address, unsigned line, const char *file)
{
	const struct line_row *row = line_table_find(made->table, address);

	if (!line) {
		assert_null(row);
		return;
	}
	assert_non_null(row);
	assert_int_equal(row->line, line);
	assert_string_equal(line_table_file(made->table, row->file), file);
}

CASE(rows_files_and_ends)
{
	struct made made = {0};

	set_address(&made, 0x1000);
	// Line 10 (1 + 9) at 0x1000; special opcode 13 + 3 + 2: 0 instructions and 2 lines on.
	PUT(&made.program, "\3\x9\1\x12");
	// File 2, 12 lines back: 13 + (12 * 2 + 0): 2 instructions on, 3 lines back.
	PUT(&made.program, "\4\2\x25");
	// Two instructions on it ends.
	PUT(&made.program, "\2\2\0\1\1");
	make(&made, 1);
	check(&made, 0xfff, 0, NULL);
	check(&made, 0x1000, 12, "/folder/a.c");
	check(&made, 0x1007, 12, "/folder/a.c");
	check(&made, 0x1008, 9, "/b/b.c");
	check(&made, 0x100f, 9, "/b/b.c");
	check(&made, 0x1010, 0, NULL);
	assert_string_equal(line_table_file(made.table, 0), "???");
	assert_null(line_table_file(made.table, 3));
	unmake(&made);
}

CASE(sequences_in_any_order)
{
	struct made made = {0};

	set_address(&made, 0x1020);
	PUT(&made.program, "\3\x1d\1\2\1\0\1\1");
	set_address(&made, 0x1000);
	PUT(&made.program, "\3\x9\1\2\1\0\1\1");
	// Right behind the second, so its end and this beginning are one address.
	set_address(&made, 0x1004);
	PUT(&made.program, "\3\x13\1\2\1\0\1\1");
	// Inside the first: addresses that go back are sorted row by row.
	set_address(&made, 0x1021);
	PUT(&made.program, "\3\x27\1\2\1\0\1\1");
	make(&made, 1);
	check(&made, 0x1000, 10, "/folder/a.c");
	check(&made, 0x1004, 20, "/folder/a.c");
	check(&made, 0x1008, 0, NULL);
	check(&made, 0x1020, 30, "/folder/a.c");
	check(&made, 0x1021, 40, "/folder/a.c");
	check(&made, 0x1024, 0, NULL);
	unmake(&made);
}

// What linkers drop starts at 0 or at the end of all addresses, and reaches into real code.
CASE(dropped_sequences_are_nowhere)
{
	const uint64_t nowhere[] = {0, UINT64_MAX, UINT64_MAX - 1};
	struct made made = {0};

	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		set_address(&made, nowhere[i]);
		// Line 5 for 0x800 instructions of 4 bytes.
		PUT(&made.program, "\3\4\1\2\x80\x10\0\1\1");
	}
	set_address(&made, 0x1000);
	PUT(&made.program, "\3\x9\1\2\2\0\1\1");
	make(&made, 1);
	check(&made, 0, 0, NULL);
	check(&made, 0xfff, 0, NULL);
	check(&made, 0x1000, 10, "/folder/a.c");
	check(&made, 0x1007, 10, "/folder/a.c");
	check(&made, 0x1008, 0, NULL);
	unmake(&made);
}

CASE(several_operations_in_one_instruction)
{
	struct made made = {0};

	set_address(&made, 0x1000);
	// Operation 2 of the first instruction, then 2 + 2 is operation 1 of the second.
	PUT(&made.program, "\1\2\2\3\1\1\2\2\3\1\1");
	PUT(&made.program, "\2\3\0\1\1");
	make(&made, 3);
	check(&made, 0x1000, 2, "/folder/a.c");
	check(&made, 0x1003, 2, "/folder/a.c");
	check(&made, 0x1004, 3, "/folder/a.c");
	check(&made, 0x1007, 3, "/folder/a.c");
	check(&made, 0x1008, 0, NULL);
	unmake(&made);
}

CASE(damage)
{
	struct made made = {0};
	unsigned seed = 1;
	char *whole;

	set_address(&made, 0x1000);
	PUT(&made.program, "\3\x9\1\x12\4\2\x25\5\7\6\7\x8\x9\1\0\xa\xb\xc\1\2\2\0\1\1");
	set_address(&made, 0x1030);
	PUT(&made.program, "\0\x8\3c.c\0\1\0\0\4\3\x20\x30\2\1\0\1\1");
	make(&made, 1);
	assert_string_equal(line_table_file(made.table, 3), "/b/c.c");
	for (size_t size = 0; size < made.all.length; size++) {
		read_made(&made, size);
		assert_null(made.table);
	}
	whole = memcpy(xmalloc(made.all.length), made.all.data, made.all.length);
	for (int i = 0; i < 20000; i++) {
		// Damage adds up for a while.
		if (i % 16 == 0)
			memcpy(made.all.data, whole, made.all.length);
		made.all.data[(size_t)rand_r(&seed) % made.all.length] = (char)rand_r(&seed);
		read_made(&made, made.all.length);
	}
	free(whole);
	unmake(&made);
}

RUN_CASES(ADD(as_libdw_reads_them), ADD(rows_files_and_ends), ADD(sequences_in_any_order),
	ADD(dropped_sequences_are_nowhere), ADD(several_operations_in_one_instruction),
	ADD(damage));
