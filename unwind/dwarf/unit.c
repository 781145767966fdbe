// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/unit.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "unwind/dwarf/arange.h"
#include "unwind/dwarf/die.h"
#include "unwind/dwarf/die_facts.h"
#include "unwind/dwarf/die_reader.h"
#include "unwind/dwarf/interval_map.h"
#include "unwind/dwarf/line_table.h"
#include "unwind/dwarf/scope.h"
#include "unwind/dwarf/split.h"
#include "unwind/dwarf/split_ranges.h"
#include "unwind/elf/elf_file.h"

/** Looked at if .debug_aranges is not enough. */
enum { UNITS_MAX = 1 << 18 };

/** Of the units' file. */
struct unit_sections {
	struct dwarf_bytes info, abbreviations;
	struct line_sections lines;
	struct die_strings strings;
};

struct unit_table {
	struct debug_files *files;
	struct elf_file *file;
	Dwarf *dwarf;
	struct unit_sections sections;
	ARRAY(struct unit) units;
	/** From start to index + 1 as a pointer. */
	struct hash known;
	/** Values are indexes of units. Those of .debug_aranges, and of the other units. */
	struct interval_map ranges, other_ranges;
	/** The other units were read, which is only done when the first map does not help. */
	bool others_read;
};

static struct dwarf_bytes section(const struct elf_file *file, const char *name)
{
	const Elf_Data *data = elf_file_dwarf_data(file, name);
	const uint8_t *start = data ? data->d_buf : NULL;

	return (struct dwarf_bytes){.at = start, .end = start ? start + data->d_size : NULL};
}

static struct unit_sections find_sections(const struct elf_file *file)
{
	struct unit_sections sections = {
		.info = section(file, ".debug_info"),
		.abbreviations = section(file, ".debug_abbrev"),
		.lines.lines = section(file, ".debug_line"),
		.strings.strings = section(file, ".debug_str"),
		.strings.line_strings = section(file, ".debug_line_str"),
	};

	sections.lines.strings = sections.strings.strings;
	sections.lines.line_strings = sections.strings.line_strings;
	return sections;
}

/** False if there is no unit at @start. */
static bool find_index(struct unit_table *table, uint64_t start, uint32_t *ret)
{
	uintptr_t known = (uintptr_t)hash_get(&table->known, start);
	struct unit unit = {.start = start};

	if (!known) {
		unit.offset = die_reader_root(&table->sections.info, start);
		if (!unit.offset)
			return false;
		*array_add(&table->units) = unit;
		known = table->units.count;
		hash_set(&table->known, start, (void *)known);
	}
	*ret = (uint32_t)(known - 1);
	return true;
}

static void add_range(void *context, uint64_t start, uint64_t low, uint64_t high)
{
	struct unit_table *table = context;
	uint32_t index;

	// Linkers set the addresses of code they dropped to 0.
	if (low && find_index(table, start, &index))
		interval_map_add(table->others_read ? &table->other_ranges : &table->ranges, low,
			high, index);
}

static void read_unit_ranges(struct unit_table *table, uint64_t start, Dwarf_Off root)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t position = 0;
	Dwarf_Die die;

	if (!dwarf_offdie(table->dwarf, root, &die))
		return;
	while ((position = dwarf_ranges(&die, position, &base, &low, &high)) > 0)
		add_range(table, start, low, high);
}

static void read_others(struct unit_table *table)
{
	const struct unit_sections *sections = &table->sections;
	struct die_unit unit;

	if (table->others_read)
		return;
	table->others_read = true;
	for (uint64_t start = 0, count = 0;
		count < UNITS_MAX &&
		die_reader_peek(&sections->info, &sections->abbreviations, start, &unit);
		start = unit.next, count++) {
		// Parts of units have no code, and those that dwz made are many.
		if (unit.tag != DW_TAG_partial_unit && !hash_get(&table->known, start))
			read_unit_ranges(table, start, unit.root);
	}
	interval_map_seal(&table->other_ranges);
}

struct unit_table *unit_table_create(struct debug_files *files, struct elf_file *file, Dwarf *dwarf)
{
	struct unit_table *table = xcalloc(1, sizeof(*table));
	struct dwarf_bytes aranges = section(file, ".debug_aranges");

	table->files = files;
	table->file = file;
	table->dwarf = dwarf;
	table->sections = find_sections(file);
	arange_read(&aranges, add_range, table);
	interval_map_seal(&table->ranges);
	return table;
}

static void destroy_reader(struct die_reader *reader)
{
	if (reader)
		die_reader_end(reader);
	free(reader);
}

void unit_table_destroy(struct unit_table *table)
{
	if (!table)
		return;
	array_for_each (unit, &table->units) {
		line_table_destroy(unit->lines);
		scope_table_destroy(unit->scopes);
		split_unit_destroy(unit->split);
		destroy_reader(unit->reader);
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

static struct die_reader *create_reader(
	const struct dwarf_bytes *info, const struct dwarf_bytes *abbreviations, uint64_t start)
{
	struct die_reader *reader = xcalloc(1, sizeof(*reader));

	if (die_reader_begin(reader, info, abbreviations, start))
		return reader;
	destroy_reader(reader);
	return NULL;
}

/** That of the unit itself, not of what was split off. */
static struct die_reader *reader_of(const struct unit_table *table, struct unit *unit)
{
	if (!unit->reader_tried) {
		unit->reader_tried = true;
		unit->reader = create_reader(
			&table->sections.info, &table->sections.abbreviations, unit->start);
	}
	return unit->reader;
}

static bool skeleton_die(const struct unit_table *table, const struct unit *unit, Dwarf_Die *ret)
{
	return dwarf_offdie(table->dwarf, unit->offset, ret);
}

/** Whether it has what skeletons lack, seen without libdw. */
static bool is_whole(const struct unit_table *table, struct unit *unit)
{
	const struct die_reader *reader = reader_of(table, unit);
	struct die_reader copy;
	struct die_entry root;

	if (!reader)
		return false;
	copy = *reader;
	return die_reader_next(&copy, &root) && root.has_children;
}

static struct split_unit *split_of(const struct unit_table *table, struct unit *unit)
{
	Dwarf_Die die;

	if (unit->split_tried)
		return unit->split;
	unit->split_tried = true;
	if (!is_whole(table, unit) && skeleton_die(table, unit, &die) && split_is_skeleton(&die))
		unit->split = split_unit_create(table->files, table->file, &die);
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
	read_others(table);
	array_for_each (unit, &table->units) {
		Dwarf_Die die;

		if (skeleton_die(table, unit, &die) && split_is_skeleton(&die))
			return !split_of(table, unit);
	}
	return false;
}

/** As read_lines(), where libdw has to be asked. */
static struct line_table *ask_for_lines(const struct unit_table *table, const struct unit *unit)
{
	uint8_t address_size, offset_size;
	Dwarf_Die die, root;
	uint64_t offset;

	if (!skeleton_die(table, unit, &die) ||
		!dwarf_diecu(&die, &root, &address_size, &offset_size) ||
		!die_number(&die, DW_AT_stmt_list, &offset))
		return NULL;
	return line_table_create(&table->sections.lines, offset, address_size,
		die_string(table->files, &die, DW_AT_comp_dir));
}

static struct line_table *read_lines(const struct unit_table *table, struct unit *unit)
{
	static const uint16_t wanted[] = {DW_AT_stmt_list, DW_AT_comp_dir};
	const struct die_reader *reader = reader_of(table, unit);
	struct die_value values[ARRAY_SIZE(wanted)];
	const char *folder;
	uint64_t offset;

	if (!reader || !die_reader_find(reader, unit->offset, wanted, ARRAY_SIZE(wanted), values) ||
		!die_value_number(reader, &values[0], &offset) ||
		!die_facts_string(
			table->files, reader, &table->sections.strings, &values[1], &folder))
		return ask_for_lines(table, unit);
	return line_table_create(
		&table->sections.lines, offset, reader->layout.address_size, folder);
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

/** What ranges of the unit count from; false if only libdw can tell. */
static bool find_addresses(
	const struct unit_table *table, const struct unit *unit, struct split_addresses *ret)
{
	static const uint16_t wanted[] = {DW_AT_low_pc, DW_AT_addr_base, DW_AT_GNU_addr_base};
	const struct die_reader *reader = unit->reader;
	struct die_value values[ARRAY_SIZE(wanted)];
	struct dwarf_bytes lists;

	if (!die_reader_find(reader, unit->offset, wanted, ARRAY_SIZE(wanted), values) ||
		values[1].form || values[2].form)
		return false;
	*ret = (struct split_addresses){.version = (uint16_t)reader->layout.version,
		.address_size = (uint8_t)reader->layout.address_size};
	lists = section(
		table->file, reader->layout.version >= 5 ? ".debug_rnglists" : ".debug_ranges");
	ret->lists = lists.at;
	ret->lists_size = (size_t)(lists.end - lists.at);
	return !values[0].form ||
	       (values[0].form == DW_FORM_addr && die_value_number(reader, &values[0], &ret->base));
}

static struct scope_table *read_split_scopes(const struct unit_table *table, struct unit *unit)
{
	const struct dwarf_bytes info = split_unit_section(unit->split, ".debug_info");
	const struct dwarf_bytes abbreviations = split_unit_section(unit->split, ".debug_abbrev");
	struct scope_source source = {.dwarf = split_unit_dwarf(unit->split), .split = unit->split};
	struct scope_table *scopes;
	struct die_reader *reader;
	Dwarf_Die die;

	if (!unit_root(table, unit, &die))
		return NULL;
	source.reader = reader =
		create_reader(&info, &abbreviations, dwarf_dieoffset(&die) - dwarf_cuoffset(&die));
	scopes = reader ? scope_table_create(&source) : NULL;
	destroy_reader(reader);
	return scopes;
}

static struct scope_table *read_scopes(const struct unit_table *table, struct unit *unit)
{
	struct scope_source source = {.dwarf = table->dwarf};
	struct split_addresses addresses;

	if (split_of(table, unit))
		return read_split_scopes(table, unit);
	source.reader = reader_of(table, unit);
	if (!source.reader)
		return NULL;
	if (find_addresses(table, unit, &addresses))
		source.addresses = &addresses;
	return scope_table_create(&source);
}

const struct scope_table *unit_scopes(const struct unit_table *table, struct unit *unit)
{
	if (!unit->scopes)
		unit->scopes = read_scopes(table, unit);
	return unit->scopes;
}

bool unit_facts(
	const struct unit_table *table, struct unit *unit, Dwarf_Off offset, struct die_facts *ret)
{
	Dwarf_Die die;

	if (!split_of(table, unit) && reader_of(table, unit) &&
		die_facts_read(table->files, unit->reader, &table->sections.strings, offset, ret))
		return true;
	if (!unit_die(table, unit, offset, &die))
		return false;
	die_facts_ask(table->files, &die, ret);
	return true;
}
