// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "unwind/die.h"
#include "unwind/elf_file.h"
#include "unwind/interval_map.h"
#include "unwind/line_table.h"
#include "unwind/scope.h"
#include "unwind/split.h"

struct unit_table {
	struct unwind_module *module;
	struct elf_file *file;
	Dwarf *dwarf;
	ARRAY(struct unit) units;
	/** Values are indexes of units. */
	struct interval_map ranges;
};

/** Ranges being collected. */
struct collector {
	struct unit_table *table;
	/** From offset to index + 1 as a pointer: units that have a range. */
	struct hash known;
};

static uint32_t unit_index(struct collector *collector, Dwarf_Off offset)
{
	uintptr_t known = (uintptr_t)hash_get(&collector->known, offset);
	size_t count = collector->table->units.count;

	if (known)
		return (uint32_t)(known - 1);
	*array_add(&collector->table->units) = (struct unit){.offset = offset};
	hash_set(&collector->known, offset, (void *)(uintptr_t)(count + 1));
	return (uint32_t)count;
}

static void add_range(struct collector *collector, Dwarf_Off offset, uint64_t low, uint64_t high)
{
	// Linkers set the addresses of code they dropped to 0.
	if (low)
		interval_map_add(
			&collector->table->ranges, low, high, unit_index(collector, offset));
}

static void read_aranges(struct collector *collector)
{
	Dwarf_Aranges *aranges;
	size_t count;

	if (dwarf_getaranges(collector->table->dwarf, &aranges, &count))
		return;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Addr low;
		Dwarf_Word length;
		Dwarf_Off offset;

		if (!dwarf_getarangeinfo(dwarf_onearange(aranges, i), &low, &length, &offset) &&
			length <= UINT64_MAX - low)
			add_range(collector, offset, low, low + length);
	}
}

static void read_unit_ranges(struct collector *collector, Dwarf_Off offset)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t position = 0;
	Dwarf_Die die;

	if (!dwarf_offdie(collector->table->dwarf, offset, &die) ||
		dwarf_tag(&die) == DW_TAG_partial_unit)
		return;
	while ((position = dwarf_ranges(&die, position, &base, &low, &high)) > 0)
		add_range(collector, offset, low, high);
}

static void read_units(struct collector *collector)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;

	while (!dwarf_nextcu(
		collector->table->dwarf, offset, &next, &header_size, NULL, NULL, NULL)) {
		Dwarf_Off die = offset + header_size;

		if (!hash_get(&collector->known, die))
			read_unit_ranges(collector, die);
		if (next <= offset)
			break;
		offset = next;
	}
}

struct unit_table *unit_table_create(
	struct unwind_module *module, struct elf_file *file, Dwarf *dwarf)
{
	struct unit_table *table = xcalloc(1, sizeof(*table));
	struct collector collector = {.table = table};

	table->module = module;
	table->file = file;
	table->dwarf = dwarf;
	read_aranges(&collector);
	read_units(&collector);
	interval_map_seal(&table->ranges);
	hash_deinit(&collector.known);
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
	}
	array_deinit(&table->units);
	interval_map_deinit(&table->ranges);
	free(table);
}

struct unit *unit_find(struct unit_table *table, uint64_t pc)
{
	uint32_t index = interval_map_find(&table->ranges, pc);

	return index == INTERVAL_NONE ? NULL : &table->units.data[index];
}

static bool skeleton_die(const struct unit_table *table, const struct unit *unit, Dwarf_Die *ret)
{
	return dwarf_offdie(table->dwarf, unit->offset, ret);
}

static struct split_unit *split_of(const struct unit_table *table, struct unit *unit)
{
	Dwarf_Die die;

	if (unit->split_tried)
		return unit->split;
	unit->split_tried = true;
	if (skeleton_die(table, unit, &die) && split_is_skeleton(&die))
		unit->split = split_unit_create(table->module, table->file, &die);
	return unit->split;
}

bool unit_die(const struct unit_table *table, struct unit *unit, Dwarf_Off offset, Dwarf_Die *ret)
{
	struct split_unit *split = split_of(table, unit);

	return dwarf_offdie(split ? split_unit_dwarf(split) : table->dwarf, offset, ret);
}

bool unit_root(const struct unit_table *table, struct unit *unit, Dwarf_Die *ret)
{
	struct split_unit *split = split_of(table, unit);

	if (!split)
		return skeleton_die(table, unit, ret);
	*ret = *split_unit_die(split);
	return true;
}

bool unit_table_lacks_split(struct unit_table *table)
{
	array_for_each (unit, &table->units) {
		Dwarf_Die die;

		if (skeleton_die(table, unit, &die) && split_is_skeleton(&die))
			return !split_of(table, unit);
	}
	return false;
}

static struct dwarf_bytes section(const struct unit_table *table, const char *name)
{
	const Elf_Data *data = elf_file_dwarf_data(table->file, name);
	const uint8_t *start = data ? data->d_buf : NULL;

	return (struct dwarf_bytes){.at = start, .end = start ? start + data->d_size : NULL};
}

static struct line_table *read_lines(const struct unit_table *table, const struct unit *unit)
{
	const struct line_sections sections = {
		.lines = section(table, ".debug_line"),
		.line_strings = section(table, ".debug_line_str"),
		.strings = section(table, ".debug_str"),
	};
	uint8_t address_size, offset_size;
	Dwarf_Die die, root;
	uint64_t offset;

	if (!skeleton_die(table, unit, &die) ||
		!dwarf_diecu(&die, &root, &address_size, &offset_size) ||
		!die_number(&die, DW_AT_stmt_list, &offset))
		return NULL;
	return line_table_create(
		&sections, offset, address_size, die_string(table->module, &die, DW_AT_comp_dir));
}

static struct line_table *lines_of(const struct unit_table *table, struct unit *unit)
{
	if (!unit->lines_tried) {
		unit->lines_tried = true;
		unit->lines = read_lines(table, unit);
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
	struct dwarf_bytes info, abbreviations;
	Dwarf_Die die;

	if (unit->scopes || !unit_root(table, unit, &die))
		return unit->scopes;
	if (unit->split) {
		info = split_unit_section(unit->split, ".debug_info");
		abbreviations = split_unit_section(unit->split, ".debug_abbrev");
	} else {
		info = section(table, ".debug_info");
		abbreviations = section(table, ".debug_abbrev");
	}
	unit->scopes = scope_table_create(&info, &abbreviations, &die, unit->split);
	return unit->scopes;
}
