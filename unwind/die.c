// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/die.h"

#include <dwarf.h>

#include "unwind/search.h"

/** Real names are at most three references away. */
enum { REFERENCES_MOST = 16 };

/** Whether the value of @attribute can be read; opens the alternate file if it is in there. */
static bool is_reachable(struct unwind_module *module, Dwarf_Attribute *attribute)
{
	switch (dwarf_whatform(attribute)) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return search_alt_file(module);
	default:
		return true;
	}
}

static const char *string(struct unwind_module *module, Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr(die, name, &attribute) || !is_reachable(module, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

static bool follow(struct unwind_module *module, Dwarf_Die *die, unsigned name, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && is_reachable(module, &attribute) &&
	       dwarf_formref_die(&attribute, ret);
}

void die_find_names(struct unwind_module *module, Dwarf_Die *die, struct die_names *ret)
{
	Dwarf_Die at = *die, next;

	*ret = (struct die_names){0};
	for (int i = 0; i < REFERENCES_MOST; i++) {
		if (!ret->name) {
			ret->name = string(module, &at, DW_AT_name);
			ret->named = at;
		}
		if (!ret->linkage_name)
			ret->linkage_name = string(module, &at, DW_AT_linkage_name);
		if (!ret->linkage_name)
			ret->linkage_name = string(module, &at, DW_AT_MIPS_linkage_name);
		if (ret->name && ret->linkage_name)
			return;
		if (!follow(module, &at, DW_AT_abstract_origin, &next) &&
			!follow(module, &at, DW_AT_specification, &next))
			return;
		at = next;
	}
}

bool die_reference(struct unwind_module *module, Dwarf_Die *die, unsigned attribute, Dwarf_Die *ret)
{
	Dwarf_Die at = *die, next;

	for (int i = 0; i < REFERENCES_MOST; i++) {
		if (follow(module, &at, attribute, ret))
			return true;
		if (!follow(module, &at, DW_AT_abstract_origin, &next) &&
			!follow(module, &at, DW_AT_specification, &next))
			return false;
		at = next;
	}
	return false;
}

const char *die_name(struct unwind_module *module, Dwarf_Die *die)
{
	return string(module, die, DW_AT_name);
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
