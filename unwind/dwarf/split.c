// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/split.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/debuginfo/search.h"
#include "unwind/dwarf/split_index.h"
#include "unwind/dwarf/split_ranges.h"
#include "unwind/elf/elf_file.h"
#include "unwind/elf/elf_writer.h"

struct split_unit {
	/** The file put together. */
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_Die die;
	struct split_addresses addresses;
};

/** What a skeleton says, and what is being put together from it. */
struct joiner {
	struct debug_files *files;
	struct elf_file *file;
	Dwarf_Die *skeleton;
	const char *name, *folder;
	uint64_t id;
	struct elf_writer writer;
};

static const char *string_of(Dwarf_Die *die, unsigned one, unsigned other)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr(die, one, &attribute) && !dwarf_attr(die, other, &attribute))
		return NULL;
	switch (dwarf_whatform(&attribute)) {
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return dwarf_formstring(&attribute);
	default:
		return NULL;
	}
}

static uint64_t number_of(Dwarf_Die *die, unsigned one, unsigned other)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if ((dwarf_attr(die, one, &attribute) || dwarf_attr(die, other, &attribute)) &&
		!dwarf_formudata(&attribute, &value))
		return value;
	return 0;
}

bool split_is_skeleton(Dwarf_Die *skeleton)
{
	Dwarf_Attribute attribute;

	return !dwarf_haschildren(skeleton) &&
	       (dwarf_attr(skeleton, DW_AT_dwo_name, &attribute) ||
		       dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attribute));
}

static bool read_skeleton(struct joiner *joiner)
{
	uint8_t type;

	joiner->name = string_of(joiner->skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	joiner->folder = string_of(joiner->skeleton, DW_AT_comp_dir, DW_AT_comp_dir);
	// No DIE of the other file is asked for, so libdw does not look for it.
	return joiner->name && !dwarf_cu_info(joiner->skeleton->cu, NULL, &type, NULL, NULL,
				       &joiner->id, NULL, NULL);
}

/** Copies of @data from @offset on as section @name. */
static void add_tail(struct joiner *joiner, const char *name, uint64_t offset)
{
	const Elf_Data *data = elf_file_dwarf_data(joiner->file, name);

	if (data && offset < data->d_size)
		elf_writer_add(&joiner->writer, name, (const char *)data->d_buf + offset,
			data->d_size - offset, 0);
}

/** What the skeleton's own file has for the other. */
static void add_addresses(struct joiner *joiner)
{
	add_tail(joiner, ".debug_ranges",
		number_of(joiner->skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base));
	add_tail(joiner, ".debug_addr",
		number_of(joiner->skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base));
}

static const char *const split_sections[] = {
	".debug_info",
	".debug_abbrev",
	".debug_line",
	".debug_loc",
	".debug_loclists",
	".debug_str_offsets",
	".debug_rnglists",
	".debug_str",
};

static const Elf_Data *split_data(const struct elf_file *file, const char *name)
{
	cleanup_free char *full = xasprintf("%s.dwo", name);

	return elf_file_section_data(file, full);
}

/** All of a .dwo file, under the names that stand for sections of whole files. */
static void add_file(struct joiner *joiner, const struct elf_file *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(split_sections); i++) {
		const Elf_Data *data = split_data(file, split_sections[i]);

		if (data)
			elf_writer_add(
				&joiner->writer, split_sections[i], data->d_buf, data->d_size, 0);
	}
}

/** The unit's part of a .dwp file; false if it has none. */
static bool add_package(struct joiner *joiner, const struct elf_file *file)
{
	const Elf_Data *index = elf_file_section_data(file, ".debug_cu_index");
	const Elf_Data *strings = split_data(file, ".debug_str");
	struct split_part parts[SPLIT_PARTS_MAX];
	size_t count = index ? split_index_find(index->d_buf, index->d_size, joiner->id, parts) : 0;

	for (size_t i = 0; i < count; i++) {
		const Elf_Data *data = split_data(file, parts[i].section);

		if (!data || parts[i].offset > data->d_size ||
			parts[i].size > data->d_size - parts[i].offset)
			return false;
		elf_writer_add(&joiner->writer, parts[i].section,
			(const char *)data->d_buf + parts[i].offset, parts[i].size, 0);
	}
	if (strings)
		elf_writer_add(&joiner->writer, ".debug_str", strings->d_buf, strings->d_size, 0);
	return count;
}

static bool find_die(struct split_unit *unit, uint64_t id)
{
	Dwarf_CU *at = NULL, *next;
	Dwarf_Die die;

	while (!dwarf_get_units(unit->dwarf, at, &next, NULL, NULL, &die, NULL)) {
		uint64_t found;
		uint8_t type;

		if (!dwarf_cu_info(next, NULL, &type, NULL, NULL, &found, NULL, NULL) &&
			found == id && dwarf_tag(&die) == DW_TAG_compile_unit) {
			unit->die = die;
			return true;
		}
		at = next;
	}
	return false;
}

/** The unit of what was put together; NULL if libdw cannot read it or it is another one. */
static struct split_unit *join(struct joiner *joiner)
{
	struct split_unit *unit = xcalloc(1, sizeof(*unit));
	bool ok = false;

	unit->fd = elf_writer_finish(&joiner->writer, joiner->file->elf);
	if (unit->fd >= 0)
		unit->elf = elf_begin(unit->fd, ELF_C_READ, NULL);
	if (unit->elf)
		unit->dwarf = dwarf_begin_elf(unit->elf, DWARF_C_READ, NULL);
	if (unit->dwarf)
		ok = find_die(unit, joiner->id);
	if (!ok) {
		split_unit_destroy(unit);
		return NULL;
	}
	split_addresses_init(&unit->addresses, unit->elf, joiner->skeleton, &unit->die);
	return unit;
}

static struct split_unit *from_file(struct joiner *joiner, struct elf_file *file, bool is_package)
{
	struct split_unit *unit = NULL;

	if (is_package ? add_package(joiner, file) : (add_file(joiner, file), true)) {
		add_addresses(joiner);
		unit = join(joiner);
	}
	elf_writer_deinit(&joiner->writer);
	return unit;
}

static void note_failure(struct joiner *joiner, const struct elf_file *file)
{
	// Of hundreds of units, one says it.
	if (joiner->files->split_missed)
		return;
	debug_files_add_failure(joiner->files,
		(struct lookup_failure){
			.wanted = LOOKUP_OF_SPLIT,
			.reason = LOOKUP_NO_UNIT,
			.path = xstrdup(file->path),
			.detail = xasprintf("%016llx", (unsigned long long)joiner->id),
		});
}

struct split_unit *split_unit_create(
	struct debug_files *files, struct elf_file *file, Dwarf_Die *skeleton)
{
	struct joiner joiner = {.files = files, .file = file, .skeleton = skeleton};
	struct elf_file *package = search_split_package(files), *single;
	struct split_unit *unit = NULL;

	if (!read_skeleton(&joiner))
		return NULL;
	if (package)
		unit = from_file(&joiner, package, /* is_package= */ true);
	if (unit)
		return unit;
	if (package)
		note_failure(&joiner, package);
	single = search_split_file(files, joiner.folder, joiner.name);
	if (single) {
		unit = from_file(&joiner, single, /* is_package= */ false);
		if (!unit)
			note_failure(&joiner, single);
	}
	elf_file_destroy(single);
	files->split_missed |= !unit;
	return unit;
}

void split_unit_destroy(struct split_unit *unit)
{
	if (!unit)
		return;
	if (unit->dwarf)
		dwarf_end(unit->dwarf);
	if (unit->elf)
		elf_end(unit->elf);
	if (unit->fd >= 0)
		close(unit->fd);
	free(unit);
}

Dwarf *split_unit_dwarf(const struct split_unit *unit)
{
	return unit->dwarf;
}

const Dwarf_Die *split_unit_die(const struct split_unit *unit)
{
	return &unit->die;
}

struct dwarf_bytes split_unit_section(const struct split_unit *unit, const char *name)
{
	const uint8_t *data = NULL;
	size_t size = 0;

	split_section(unit->elf, name, &data, &size);
	return (struct dwarf_bytes){.at = data, .end = data ? data + size : NULL};
}

void split_unit_ranges(
	const struct split_unit *unit, Dwarf_Die *die, split_range_fn *fn, void *context)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr low, high;

	if (dwarf_attr(die, DW_AT_ranges, &attribute))
		split_ranges_read(&unit->addresses, &attribute, fn, context);
	else if (!dwarf_lowpc(die, &low) && !dwarf_highpc(die, &high))
		fn(context, low, high);
}
