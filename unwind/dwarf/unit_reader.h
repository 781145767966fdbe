// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_UNIT_READER_H
#define UNWIND_DWARF_UNIT_READER_H

/**
 * What one compilation unit says: lines, scopes, ranges, facts of a DIE. Our own readers are a
 * multiple faster than libdw 0.188 but do not know every form: what they cannot tell, libdw is
 * asked. This is the only place that chooses between them. Nothing is kept but the reader.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "unwind/dwarf/die_facts.h"
#include "unwind/dwarf/dwarf_bytes.h"
#include "unwind/dwarf/line_table.h"
#include "unwind/dwarf/split.h"
#include "unwind/dwarf/unit.h"

struct debug_files;
struct elf_file;
struct scope_table;

/** Of the units' file; missing ones are empty. */
struct unit_sections {
	struct dwarf_bytes info, abbreviations;
	struct line_sections lines;
	struct die_strings strings;
};

/**
 * What may still be kept of all units together: units may share one line table, list of ranges
 * or table of abbreviations, so that a small file could take any amount of memory and time.
 */
struct unit_room {
	uint64_t rows, ranges;
	/** Bytes. */
	uint64_t abbreviations;
};

/** Where units are read from; owns nothing. */
struct unit_source {
	struct debug_files *files;
	struct elf_file *file;
	Dwarf *dwarf;
	struct unit_sections sections;
	struct unit_room *room;
};

/** Section @name of @file, unpacked; empty if there is none. */
struct dwarf_bytes unit_section(const struct elf_file *file, const char *name);
struct unit_sections unit_sections_of(const struct elf_file *file);
/** NULL is allowed. */
void unit_reader_destroy(struct die_reader *reader);

/** The DIE of the unit itself, for libdw; false if it cannot be read. */
bool unit_reader_die(const struct unit_source *source, const struct unit *unit, Dwarf_Die *ret);
/** Whether the unit has what skeletons lack; false if only libdw can tell. */
bool unit_reader_is_whole(const struct unit_source *source, struct unit *unit);
/** Calls @fn for each range of the unit whose DIE is at @root. */
void unit_reader_ranges(
	const struct unit_source *source, Dwarf_Off root, split_range_fn *fn, void *context);
/** The caller destroys it; NULL if there is none. */
struct line_table *unit_reader_lines(const struct unit_source *source, struct unit *unit);
/** Of a unit that is not split; the caller destroys them. NULL if they cannot be read. */
struct scope_table *unit_reader_scopes(const struct unit_source *source, struct unit *unit);
/** Of the rest of a unit. */
struct scope_table *unit_reader_split_scopes(
	const struct unit_source *source, const struct split_unit *split);
/** Whether there is room; else the report will say that it was @what that took it. */
bool unit_reader_has_room(const struct unit_source *source, uint64_t room, const char *what);
/** What the DIE at @offset of a unit that is not split says; false if it cannot be read. */
bool unit_reader_facts(const struct unit_source *source, struct unit *unit, Dwarf_Off offset,
	struct die_facts *ret);

#endif
