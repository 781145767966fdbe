// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_LINE_TABLE_H
#define UNWIND_DWARF_LINE_TABLE_H

/**
 * The line table of one unit, of .debug_line: DWARF 2 to 5. Read at once, in a fraction of
 * the time libdw 0.188 takes; where a table is damaged, there is none. Format: DWARF 5, 6.2.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/dwarf/dwarf_bytes.h"

struct line_table;

/** What tables are made of. Missing sections are empty. */
struct line_sections {
	/** .debug_line, .debug_line_str and .debug_str. */
	struct dwarf_bytes lines, line_strings, strings;
};

/** A row. */
struct line_row {
	uint64_t address;
	/** Behind the code of a sequence. */
	bool is_end;
	uint16_t column;
	/** 0 if no line is to blame. */
	uint32_t line;
	/** Index of a file. */
	uint32_t file;
	/** Number in the order of the table. */
	uint32_t order;
};

/**
 * The table at @offset of .debug_line; NULL if there is none. @address_size (4 or 8) and
 * @folder are those of the unit, the latter NULL if not known; the sections and @folder must
 * outlive the table.
 */
struct line_table *line_table_create(const struct line_sections *sections, uint64_t offset,
	unsigned address_size, const char *folder);
/** How many rows it has. */
size_t line_table_count(const struct line_table *table);
/** NULL is allowed. */
void line_table_destroy(struct line_table *table);
/** The last row for @address, of several for the same place the last; NULL if there is none. */
const struct line_row *line_table_find(const struct line_table *table, uint64_t address);
/** The name of file number @index, which belongs to the table; NULL if there is none. */
const char *line_table_file(struct line_table *table, uint64_t index);

#endif
