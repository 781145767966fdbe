// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/die.h"

#include <dwarf.h>
#include <string.h>

#include "unwind/debuginfo/debug_files.h"
#include "unwind/debuginfo/search.h"
#include "unwind/elf/elf_file.h"
#include "unwind/unwind.h"

/** Real names are at most three references away. */
enum { REFERENCES_MAX = 16 };

static bool is_in_alt(Dwarf_Attribute *attribute)
{
	switch (dwarf_whatform(attribute)) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return true;
	default:
		return false;
	}
}

/** Whether the value of @attribute can be read; opens the alternate file if it is in there. */
static bool is_reachable(struct debug_files *files, Dwarf_Attribute *attribute)
{
	return !is_in_alt(attribute) || search_alt_dwarf(files);
}

/** The offset that @attribute of @die consists of; false if it is not of the module's own DIEs. */
static bool read_offset(
	struct debug_files *files, Dwarf_Die *die, Dwarf_Attribute *attribute, uint64_t *ret)
{
	struct elf_file *file = search_dwarf_file(files);
	const Elf_Data *data = file ? elf_file_dwarf_data(file, ".debug_info") : NULL;
	uint8_t address_size, offset_size;
	uint32_t small;
	Dwarf_Die unit;
	size_t place;

	if (!data || !dwarf_diecu(die, &unit, &address_size, &offset_size))
		return false;
	place = (size_t)((uintptr_t)attribute->valp - (uintptr_t)data->d_buf);
	if (place > data->d_size || data->d_size - place < offset_size)
		return false;
	if (offset_size == sizeof(*ret)) {
		memcpy(ret, attribute->valp, sizeof(*ret));
		return true;
	}
	memcpy(&small, attribute->valp, sizeof(small));
	*ret = small;
	return offset_size == sizeof(small);
}

/**
 * A string of the alternate file. That file is big, and for most names nothing but its
 * strings is needed.
 */
static const char *alt_string(struct debug_files *files, Dwarf_Die *die, Dwarf_Attribute *attribute)
{
	struct elf_file *alt = search_alt_file(files);
	const char *text;
	uint64_t offset;

	if (!alt)
		return NULL;
	// What parameters are made of is described in there.
	if (!files->search->options->args && read_offset(files, die, attribute, &offset) &&
		elf_file_string(alt, offset, &text))
		return text;
	return search_alt_dwarf(files) ? dwarf_formstring(attribute) : NULL;
}

const char *die_string(struct debug_files *files, Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr(die, name, &attribute))
		return NULL;
	return is_in_alt(&attribute) ? alt_string(files, die, &attribute)
				     : dwarf_formstring(&attribute);
}

static bool follow(struct debug_files *files, Dwarf_Die *die, unsigned name, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && is_reachable(files, &attribute) &&
	       dwarf_formref_die(&attribute, ret);
}

void die_find_names(struct debug_files *files, Dwarf_Die *die, struct die_names *ret)
{
	Dwarf_Die at = *die, next;

	*ret = (struct die_names){0};
	for (int i = 0; i < REFERENCES_MAX; i++) {
		if (!ret->name) {
			ret->name = die_string(files, &at, DW_AT_name);
			ret->named = dwarf_dieoffset(&at);
			ret->is_elsewhere = at.cu != die->cu;
		}
		if (!ret->linkage_name)
			ret->linkage_name = die_string(files, &at, DW_AT_linkage_name);
		if (!ret->linkage_name)
			ret->linkage_name = die_string(files, &at, DW_AT_MIPS_linkage_name);
		if (ret->name && ret->linkage_name)
			return;
		if (!follow(files, &at, DW_AT_abstract_origin, &next) &&
			!follow(files, &at, DW_AT_specification, &next))
			return;
		at = next;
	}
}

bool die_reference(struct debug_files *files, Dwarf_Die *die, unsigned attribute, Dwarf_Die *ret)
{
	Dwarf_Die at = *die, next;

	for (int i = 0; i < REFERENCES_MAX; i++) {
		if (follow(files, &at, attribute, ret))
			return true;
		if (!follow(files, &at, DW_AT_abstract_origin, &next) &&
			!follow(files, &at, DW_AT_specification, &next))
			return false;
		at = next;
	}
	return false;
}

bool die_constant(Dwarf_Attribute *attribute, uint64_t *ret)
{
	unsigned form = dwarf_whatform(attribute);
	Dwarf_Sword negative;
	Dwarf_Word value;

	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(attribute, &negative))
			return false;
		*ret = (uint64_t)negative;
		return true;
	}
	if (dwarf_formudata(attribute, &value))
		return false;
	*ret = value;
	return true;
}

bool die_number(Dwarf_Die *die, unsigned name, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value))
		return false;
	*ret = value;
	return true;
}
