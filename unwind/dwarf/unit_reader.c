// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/unit_reader.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/dwarf/die.h"
#include "unwind/dwarf/die_reader.h"
#include "unwind/dwarf/scope.h"
#include "unwind/dwarf/split_ranges.h"
#include "unwind/elf/elf_file.h"

/** Where ranges of scopes are, for those that have more than one. */
struct range_source {
	Dwarf *dwarf;
	/** NULL for a unit that is not split. */
	const struct split_unit *split;
	/** What lists of ranges count from; NULL: libdw has to be asked. */
	const struct split_addresses *addresses;
};

struct dwarf_bytes unit_section(const struct elf_file *file, const char *name)
{
	const Elf_Data *data = elf_file_dwarf_data(file, name);
	const uint8_t *start = data ? data->d_buf : NULL;

	return (struct dwarf_bytes){.at = start, .end = start ? start + data->d_size : NULL};
}

struct unit_sections unit_sections_of(const struct elf_file *file)
{
	struct unit_sections sections = {
		.info = unit_section(file, ".debug_info"),
		.abbreviations = unit_section(file, ".debug_abbrev"),
		.lines.lines = unit_section(file, ".debug_line"),
		.strings.strings = unit_section(file, ".debug_str"),
		.strings.line_strings = unit_section(file, ".debug_line_str"),
	};

	sections.lines.strings = sections.strings.strings;
	sections.lines.line_strings = sections.strings.line_strings;
	return sections;
}

void unit_reader_destroy(struct die_reader *reader)
{
	if (reader)
		die_reader_end(reader);
	free(reader);
}

static struct die_reader *create_reader(
	const struct dwarf_bytes *info, const struct dwarf_bytes *abbreviations, uint64_t start)
{
	struct die_reader *reader = xcalloc(1, sizeof(*reader));

	if (die_reader_begin(reader, info, abbreviations, start))
		return reader;
	unit_reader_destroy(reader);
	return NULL;
}

bool unit_reader_has_room(const struct unit_source *source, uint64_t room, const char *what)
{
	if (!room)
		debug_files_add_failure(source->files,
			(struct lookup_failure){.wanted = LOOKUP_OF_CONTENTS,
				.reason = LOOKUP_UNPACKS_TO_TOO_MUCH,
				.path = xstrdup(source->file->path),
				.detail = xasprintf("more %s than its size allows", what)});
	return room;
}

static void take(uint64_t *room, uint64_t used)
{
	*room -= used < *room ? used : *room;
}

/** That of the unit itself, not of what was split off. */
static struct die_reader *reader_of(const struct unit_source *source, struct unit *unit)
{
	if (!unit->reader_tried) {
		unit->reader_tried = true;
		if (!unit_reader_has_room(source, source->room->abbreviations, "abbreviations"))
			return NULL;
		unit->reader = create_reader(
			&source->sections.info, &source->sections.abbreviations, unit->start);
		if (unit->reader)
			take(&source->room->abbreviations,
				unit->reader->abbreviations.count *
						sizeof(struct die_abbreviation) +
					unit->reader->steps.count * sizeof(struct die_step));
	}
	return unit->reader;
}

bool unit_reader_die(const struct unit_source *source, const struct unit *unit, Dwarf_Die *ret)
{
	return dwarf_offdie(source->dwarf, unit->offset, ret);
}

bool unit_reader_is_whole(const struct unit_source *source, struct unit *unit)
{
	const struct die_reader *reader = reader_of(source, unit);
	struct die_reader copy;
	struct die_entry root;

	if (!reader)
		return false;
	copy = *reader;
	return die_reader_next(&copy, &root) && root.has_children;
}

/** As unit_reader_lines(), where libdw has to be asked. */
static struct line_table *ask_for_lines(const struct unit_source *source, const struct unit *unit)
{
	uint8_t address_size, offset_size;
	Dwarf_Die die, root;
	uint64_t offset;

	if (!unit_reader_die(source, unit, &die) ||
		!dwarf_diecu(&die, &root, &address_size, &offset_size) ||
		!die_number(&die, DW_AT_stmt_list, &offset))
		return NULL;
	return line_table_create(&source->sections.lines, offset, address_size,
		die_string(source->files, &die, DW_AT_comp_dir));
}

static struct line_table *read_lines(const struct unit_source *source, struct unit *unit)
{
	static const uint16_t wanted[] = {DW_AT_stmt_list, DW_AT_comp_dir};
	const struct die_reader *reader = reader_of(source, unit);
	struct die_value values[ARRAY_SIZE(wanted)];
	const char *folder;
	uint64_t offset;

	if (!reader || !die_reader_find(reader, unit->offset, wanted, ARRAY_SIZE(wanted), values) ||
		!die_value_number(reader, &values[0], &offset) ||
		!die_facts_string(
			source->files, reader, &source->sections.strings, &values[1], &folder))
		return ask_for_lines(source, unit);
	return line_table_create(
		&source->sections.lines, offset, reader->layout.address_size, folder);
}

struct line_table *unit_reader_lines(const struct unit_source *source, struct unit *unit)
{
	struct line_table *lines = NULL;

	if (unit_reader_has_room(source, source->room->rows, "lines"))
		lines = read_lines(source, unit);
	if (lines)
		take(&source->room->rows, line_table_count(lines));
	return lines;
}

/** By libdw. */
static void ask_for_ranges(Dwarf *dwarf, Dwarf_Off offset, split_range_fn *fn, void *context)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t position = 0;
	Dwarf_Die die;

	if (!dwarf_offdie(dwarf, offset, &die))
		return;
	while ((position = dwarf_ranges(&die, position, &base, &low, &high)) > 0)
		fn(context, low, high);
}

void unit_reader_ranges(
	const struct unit_source *source, Dwarf_Off root, split_range_fn *fn, void *context)
{
	ask_for_ranges(source->dwarf, root, fn, context);
}

/** A scope_ranges_fn. */
static void read_ranges(
	void *context, const struct die_entry *entry, split_range_fn *fn, void *fn_context)
{
	const struct range_source *ranges = context;
	Dwarf_Die die;

	if (entry->extent == DIE_EXTENT_RANGES && ranges->addresses)
		split_ranges_read_at(ranges->addresses, entry->ranges, fn, fn_context);
	else if (!ranges->split)
		ask_for_ranges(ranges->dwarf, entry->offset, fn, fn_context);
	else if (dwarf_offdie(ranges->dwarf, entry->offset, &die))
		split_unit_ranges(ranges->split, &die, fn, fn_context);
}

/** What ranges of the unit count from; false if only libdw can tell. */
static bool find_addresses(
	const struct unit_source *source, const struct unit *unit, struct split_addresses *ret)
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
	lists = unit_section(
		source->file, reader->layout.version >= 5 ? ".debug_rnglists" : ".debug_ranges");
	ret->lists = lists.at;
	ret->lists_size = (size_t)(lists.end - lists.at);
	return !values[0].form ||
	       (values[0].form == DW_FORM_addr && die_value_number(reader, &values[0], &ret->base));
}

struct scope_table *unit_reader_split_scopes(
	const struct unit_source *source, const struct split_unit *split)
{
	const struct dwarf_bytes info = split_unit_section(split, ".debug_info");
	const struct dwarf_bytes abbreviations = split_unit_section(split, ".debug_abbrev");
	struct range_source ranges = {.dwarf = split_unit_dwarf(split), .split = split};
	Dwarf_Die die = *split_unit_die(split);
	struct die_reader *reader =
		create_reader(&info, &abbreviations, dwarf_dieoffset(&die) - dwarf_cuoffset(&die));
	struct scope_table *scopes =
		reader ? scope_table_create(reader, &source->room->ranges, read_ranges, &ranges)
		       : NULL;

	unit_reader_destroy(reader);
	return scopes;
}

struct scope_table *unit_reader_scopes(const struct unit_source *source, struct unit *unit)
{
	const struct die_reader *reader = reader_of(source, unit);
	struct range_source ranges = {.dwarf = source->dwarf};
	struct split_addresses addresses;

	if (!reader)
		return NULL;
	if (find_addresses(source, unit, &addresses))
		ranges.addresses = &addresses;
	return scope_table_create(reader, &source->room->ranges, read_ranges, &ranges);
}

bool unit_reader_facts(const struct unit_source *source, struct unit *unit, Dwarf_Off offset,
	struct die_facts *ret)
{
	const struct die_reader *reader = reader_of(source, unit);
	Dwarf_Die die;

	if (reader && die_facts_read(source->files, reader, &source->sections.strings, offset, ret))
		return true;
	if (!dwarf_offdie(source->dwarf, offset, &die))
		return false;
	die_facts_ask(source->files, &die, ret);
	return true;
}
