// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/die_facts.h"

#include <dwarf.h>

#include "base/array.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/debuginfo/search.h"
#include "unwind/elf/elf_file.h"
#include "unwind/unwind.h"

/** Real names are at most three references away. */
enum { REFERENCES_MAX = 16 };

/** Attributes by place in a list. */
enum {
	NAME,
	LINKAGE_NAME,
	OLD_LINKAGE_NAME,
	ORIGIN,
	SPECIFICATION,
	CALL_FILE,
	CALL_LINE,
	CALL_COLUMN,
};

static const uint16_t wanted[] = {
	[NAME] = DW_AT_name,
	[LINKAGE_NAME] = DW_AT_linkage_name,
	[OLD_LINKAGE_NAME] = DW_AT_MIPS_linkage_name,
	[ORIGIN] = DW_AT_abstract_origin,
	[SPECIFICATION] = DW_AT_specification,
	[CALL_FILE] = DW_AT_call_file,
	[CALL_LINE] = DW_AT_call_line,
	[CALL_COLUMN] = DW_AT_call_column,
};

/** In @section at the offset that @value is. */
static const char *string_in(const struct die_reader *reader, const struct die_value *value,
	const struct dwarf_bytes *section)
{
	struct dwarf_bytes offset = value->bytes, bytes = *section;

	dwarf_bytes_skip(&bytes, dwarf_bytes_fixed(&offset, reader->layout.offset_size));
	return offset.is_bad ? NULL : dwarf_bytes_string(&bytes);
}

static bool alt_string(struct debug_files *files, const struct die_reader *reader,
	const struct die_value *value, const char **ret)
{
	struct dwarf_bytes bytes = value->bytes;
	uint64_t offset = dwarf_bytes_fixed(&bytes, reader->layout.offset_size);
	struct elf_file *alt;

	// What parameters are made of is described in there, so libdw has it open.
	if (bytes.is_bad || files->search->options->args)
		return false;
	*ret = NULL;
	alt = search_alt_file(files);
	return !alt || elf_file_string(alt, offset, ret);
}

bool die_facts_string(struct debug_files *files, const struct die_reader *reader,
	const struct die_strings *strings, const struct die_value *value, const char **ret)
{
	struct dwarf_bytes bytes = value->bytes;

	switch (value->form) {
	case 0:
		*ret = NULL;
		return true;
	case DW_FORM_string:
		*ret = dwarf_bytes_string(&bytes);
		return true;
	case DW_FORM_strp:
		*ret = string_in(reader, value, &strings->strings);
		return true;
	case DW_FORM_line_strp:
		*ret = string_in(reader, value, &strings->line_strings);
		return true;
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		return alt_string(files, reader, value, ret);
	default:
		return false;
	}
}

/** The DIE in the same unit that @value refers to. */
static bool follow(
	const struct die_reader *reader, const struct die_value *value, uint64_t *offset_ret)
{
	const struct dwarf_form form = dwarf_form(value->form, &reader->layout);
	struct dwarf_bytes bytes = value->bytes;
	uint64_t offset;

	if (form.class != DWARF_CLASS_REFERENCE)
		return false;
	offset = dwarf_form_number(&bytes, form);
	if (bytes.is_bad || offset >= (uint64_t)(reader->bytes.end - reader->unit))
		return false;
	*offset_ret = (uint64_t)(reader->unit - reader->section) + offset;
	return true;
}

static bool read_call(
	const struct die_reader *reader, const struct die_value *values, struct die_facts *ret)
{
	uint64_t *const numbers[] = {&ret->call_file, &ret->call_line, &ret->call_column};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (values[CALL_FILE + i].form &&
			!die_value_number(reader, &values[CALL_FILE + i], numbers[i]))
			return false;
	}
	ret->has_call_file = values[CALL_FILE].form;
	return true;
}

/** Adds to @names what the DIE at @offset says. */
static bool read_names(struct debug_files *files, const struct die_reader *reader,
	const struct die_strings *strings, const struct die_value *values, uint64_t offset,
	struct die_names *names)
{
	if (!names->name) {
		names->named = offset;
		if (!die_facts_string(files, reader, strings, &values[NAME], &names->name))
			return false;
	}
	if (!names->linkage_name && !die_facts_string(files, reader, strings, &values[LINKAGE_NAME],
					    &names->linkage_name))
		return false;
	return names->linkage_name || die_facts_string(files, reader, strings,
					      &values[OLD_LINKAGE_NAME], &names->linkage_name);
}

bool die_facts_read(struct debug_files *files, const struct die_reader *reader,
	const struct die_strings *strings, uint64_t offset, struct die_facts *ret)
{
	struct die_value values[ARRAY_SIZE(wanted)];
	const struct die_value *next;

	*ret = (struct die_facts){0};
	for (int i = 0; i < REFERENCES_MAX; i++) {
		if (!die_reader_find(reader, offset, wanted, ARRAY_SIZE(wanted), values) ||
			(!i && !read_call(reader, values, ret)) ||
			!read_names(files, reader, strings, values, offset, &ret->names))
			return false;
		next = values[ORIGIN].form ? &values[ORIGIN] : &values[SPECIFICATION];
		if ((ret->names.name && ret->names.linkage_name) || !next->form)
			return true;
		if (!follow(reader, next, &offset))
			return false;
	}
	return true;
}

void die_facts_ask(struct debug_files *files, Dwarf_Die *die, struct die_facts *ret)
{
	*ret = (struct die_facts){0};
	die_find_names(files, die, &ret->names);
	ret->has_call_file = die_number(die, DW_AT_call_file, &ret->call_file);
	die_number(die, DW_AT_call_line, &ret->call_line);
	die_number(die, DW_AT_call_column, &ret->call_column);
}
