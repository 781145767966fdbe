// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_UNIT_H
#define UNWIND_DWARF_UNIT_H

/**
 * The compilation units of a module's DWARF by address. Ranges come from
 * .debug_aranges and, for the units it leaves out (clang writes none), from the
 * units themselves. What is read of one unit is kept.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct die_facts;
struct die_reader;
struct elf_file;
struct line_table;
struct scope_table;
struct split_unit;
struct unit_table;
struct debug_files;

struct unit {
	/** The unit in .debug_info, and its DIE. */
	Dwarf_Off start, offset;
	/** Reads its DIEs; made on demand, NULL if that is not possible. */
	struct die_reader *reader;
	bool reader_tried;
	/** Made on demand by unit_scopes(). */
	struct scope_table *scopes;
	/** The rest of a skeleton unit; NULL if it is none or that was not found. */
	struct split_unit *split;
	bool split_tried;
	/** NULL if there is none. */
	struct line_table *lines;
	bool lines_tried;
};

/** A place in a source file. */
struct unit_line {
	/** Belongs to the table of units; NULL if unknown. */
	const char *file;
	unsigned line;
	unsigned column;
};

/** @files, and @dwarf of their @file, must outlive the table. */
struct unit_table *unit_table_create(
	struct debug_files *files, struct elf_file *file, Dwarf *dwarf);
/** NULL is allowed. */
void unit_table_destroy(struct unit_table *table);
/** The unit that has code at @pc; NULL if none. It stays where it is until the next call. */
struct unit *unit_find(struct unit_table *table, uint64_t pc);
/** The row of the unit's line table for @pc; false if there is none. */
bool unit_find_line(
	const struct unit_table *table, struct unit *unit, uint64_t pc, struct unit_line *ret);
/** Name number @index of the unit's list of files; NULL if there is none. */
const char *unit_file(const struct unit_table *table, struct unit *unit, uint64_t index);
/** The functions and inlined calls of the unit, read by the first call. */
const struct scope_table *unit_scopes(const struct unit_table *table, struct unit *unit);
/** The DIE at @offset of what has the unit's scopes; false if there is none. */
bool unit_die(const struct unit_table *table, struct unit *unit, Dwarf_Off offset, Dwarf_Die *ret);
/** The DIE of the unit itself, with its scopes; false if it cannot be read. */
bool unit_root(const struct unit_table *table, struct unit *unit, Dwarf_Die *ret);
/** What the DIE at @offset says; false if it cannot be read. */
bool unit_facts(
	const struct unit_table *table, struct unit *unit, Dwarf_Off offset, struct die_facts *ret);
/** Whether the first unit that is split lacks its rest. */
bool unit_table_lacks_split(struct unit_table *table);

#endif
