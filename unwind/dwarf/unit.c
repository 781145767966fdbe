// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "unwind/dwarf/arange.h"
#include "unwind/dwarf/die_facts.h"
#include "unwind/dwarf/die_reader.h"
#include "unwind/dwarf/interval_map.h"
#include "unwind/dwarf/line_table.h"
#include "unwind/dwarf/scope.h"
#include "unwind/dwarf/split.h"
#include "unwind/dwarf/unit_reader.h"
#include "unwind/elf/elf_file.h"

/** Looked at if .debug_aranges is not enough. */
enum {
	UNITS_MAX = 1 << 18,
	/** What units may take together, and that more for so many bytes of the file. */
	ROWS = 1 << 20,
	BYTES_OF_ROW = 4,
	RANGES = 1 << 19,
	BYTES_OF_RANGE = 8,
	ABBREVIATIONS = 64 << 20,
	BYTES_OF_ABBREVIATION = 8,
	/** Bytes of abbreviations that libdw may look at for the root DIEs of units. */
	ROOTS_MAX = 256 << 20,
};

struct unit_table {
	struct unit_source source;
	struct unit_room room;
	ARRAY(struct unit) units;
	/** From start to index + 1 as a pointer. */
	struct hash known;
	/** Values are indexes of units. Those of .debug_aranges, and of the other units. */
	struct interval_map ranges, other_ranges;
	/** The other units were read, which is only done when the first map does not help. */
	bool others_read;
};

/** False if there is no unit at @start. */
static bool find_index(struct unit_table *table, uint64_t start, uint32_t *ret)
{
	uintptr_t known = (uintptr_t)hash_get(&table->known, start);
	struct unit unit = {.start = start};

	if (!known) {
		unit.offset = die_reader_root(&table->source.sections.info, start);
		if (!unit.offset)
			return false;
		*array_add(&table->units) = unit;
		known = table->units.count;
		hash_set(&table->known, start, (void *)known);
	}
	*ret = (uint32_t)(known - 1);
	return true;
}

/** Ranges of a unit on their way to a table. */
struct adder {
	struct unit_table *table;
	uint64_t start;
};

static void add_range(void *context, uint64_t start, uint64_t low, uint64_t high)
{
	struct unit_table *table = context;
	uint32_t index;

	// Linkers set the addresses of code they dropped to 0.
	if (low && table->source.room->ranges && find_index(table, start, &index)) {
		table->source.room->ranges--;
		interval_map_add(table->others_read ? &table->other_ranges : &table->ranges, low,
			high, index);
	}
}

static void add_unit_range(void *context, uint64_t low, uint64_t high)
{
	const struct adder *adder = context;

	add_range(adder->table, adder->start, low, high);
}

static void read_unit_ranges(struct unit_table *table, uint64_t start, Dwarf_Off root)
{
	struct adder adder = {table, start};

	unit_reader_ranges(&table->source, root, add_unit_range, &adder);
}

static void read_others(struct unit_table *table)
{
	const struct unit_sections *sections = &table->source.sections;
	uint64_t abbreviations =
		(uint64_t)(sections->abbreviations.end - sections->abbreviations.at);
	uint64_t looked = 0;
	struct die_unit unit;

	if (table->others_read)
		return;
	table->others_read = true;
	for (uint64_t start = 0, count = 0;
		count < UNITS_MAX && looked < ROOTS_MAX &&
		unit_reader_has_room(&table->source, table->source.room->ranges, "ranges") &&
		die_reader_peek(&sections->info, &sections->abbreviations, start, &unit);
		start = unit.next, count++) {
		if (!unit.tag)
			looked += abbreviations;
		// Parts of units have no code, and those that dwz made are many.
		if (unit.tag != DW_TAG_partial_unit && !hash_get(&table->known, start))
			read_unit_ranges(table, start, unit.root);
	}
	interval_map_seal(&table->other_ranges);
}

struct unit_table *unit_table_create(struct debug_files *files, struct elf_file *file, Dwarf *dwarf)
{
	struct unit_table *table = xcalloc(1, sizeof(*table));
	struct dwarf_bytes aranges = unit_section(file, ".debug_aranges");

	table->room = (struct unit_room){
		.rows = ROWS + (uint64_t)file->size / BYTES_OF_ROW,
		.ranges = RANGES + (uint64_t)file->size / BYTES_OF_RANGE,
		.abbreviations = ABBREVIATIONS + (uint64_t)file->size / BYTES_OF_ABBREVIATION,
	};
	table->source = (struct unit_source){.files = files,
		.file = file,
		.dwarf = dwarf,
		.sections = unit_sections_of(file),
		.room = &table->room};
	arange_read(&aranges, add_range, table);
	interval_map_seal(&table->ranges);
	return table;
}

void unit_table_destroy(struct unit_table *table)
{
	if (!table)
		return;
	array_for_each (unit, &table->units) {
		line_table_destroy(unit->lines);
		scope_table_destroy(unit->scopes);
		split_unit_destroy(unit->split);
		unit_reader_destroy(unit->reader);
	}
	array_deinit(&table->units);
	hash_deinit(&table->known);
	interval_map_deinit(&table->ranges);
	interval_map_deinit(&table->other_ranges);
	free(table);
}

struct unit *unit_find(struct unit_table *table, uint64_t pc)
{
	uint32_t index = interval_map_find(&table->ranges, pc);

	if (index == INTERVAL_NONE) {
		read_others(table);
		index = interval_map_find(&table->other_ranges, pc);
	}
	return index == INTERVAL_NONE ? NULL : &table->units.data[index];
}

static struct split_unit *split_of(const struct unit_table *table, struct unit *unit)
{
	Dwarf_Die die;

	if (unit->split_tried)
		return unit->split;
	unit->split_tried = true;
	if (!unit_reader_is_whole(&table->source, unit) &&
		unit_reader_die(&table->source, unit, &die) && split_is_skeleton(&die))
		unit->split = split_unit_create(table->source.files, table->source.file, &die);
	return unit->split;
}

bool unit_die(const struct unit_table *table, struct unit *unit, Dwarf_Off offset, Dwarf_Die *ret)
{
	struct split_unit *split = split_of(table, unit);

	return dwarf_offdie(split ? split_unit_dwarf(split) : table->source.dwarf, offset, ret);
}

bool unit_root(const struct unit_table *table, struct unit *unit, Dwarf_Die *ret)
{
	struct split_unit *split = split_of(table, unit);

	if (!split)
		return unit_reader_die(&table->source, unit, ret);
	*ret = *split_unit_die(split);
	return true;
}

bool unit_table_lacks_split(struct unit_table *table)
{
	read_others(table);
	array_for_each (unit, &table->units) {
		Dwarf_Die die;

		if (unit_reader_die(&table->source, unit, &die) && split_is_skeleton(&die))
			return !split_of(table, unit);
	}
	return false;
}

static struct line_table *lines_of(const struct unit_table *table, struct unit *unit)
{
	if (!unit->lines_tried) {
		unit->lines_tried = true;
		unit->lines = unit_reader_lines(&table->source, unit);
	}
	return unit->lines;
}

bool unit_find_line(
	const struct unit_table *table, struct unit *unit, uint64_t pc, struct unit_line *ret)
{
	struct line_table *lines = lines_of(table, unit);
	const struct line_row *row = lines ? line_table_find(lines, pc) : NULL;

	// Line 0 is how compilers say that no line is to blame.
	if (!row || !row->line || row->line > INT32_MAX)
		return false;
	ret->file = line_table_file(lines, row->file);
	ret->line = row->line;
	ret->column = row->column;
	return ret->file;
}

const char *unit_file(const struct unit_table *table, struct unit *unit, uint64_t index)
{
	struct line_table *lines;
	Dwarf_Files *files;
	Dwarf_Die die;
	size_t count;

	// The rest of a unit may have no list of its own; then it means that of the skeleton.
	if (split_of(table, unit) && unit_root(table, unit, &die) &&
		!dwarf_getsrcfiles(&die, &files, &count))
		return index < count ? dwarf_filesrc(files, index, NULL, NULL) : NULL;
	lines = lines_of(table, unit);
	return lines ? line_table_file(lines, index) : NULL;
}

const struct scope_table *unit_scopes(const struct unit_table *table, struct unit *unit)
{
	if (!unit->scopes &&
		unit_reader_has_room(&table->source, table->source.room->ranges, "ranges"))
		unit->scopes = split_of(table, unit)
				       ? unit_reader_split_scopes(&table->source, unit->split)
				       : unit_reader_scopes(&table->source, unit);
	return unit->scopes;
}

bool unit_facts(
	const struct unit_table *table, struct unit *unit, Dwarf_Off offset, struct die_facts *ret)
{
	Dwarf_Die die;

	if (!split_of(table, unit))
		return unit_reader_facts(&table->source, unit, offset, ret);
	if (!unit_die(table, unit, offset, &die))
		return false;
	die_facts_ask(table->source.files, &die, ret);
	return true;
}
