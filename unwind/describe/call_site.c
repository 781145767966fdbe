// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/call_site.h"

#include <dwarf.h>
#include <string.h>

#include "unwind/describe/arg_location.h"
#include "unwind/dwarf/die.h"

enum {
	/** Blocks in blocks in a function. */
	DEPTH_MAX = 64,
	/** DIEs of a function that are looked at. */
	DIES_MAX = 100000,
};

/** GNU's call sites, before DWARF 5, have the return address as low pc. */
static bool returns_to(Dwarf_Die *site, uint64_t pc)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr address;

	if (!dwarf_attr(site, DW_AT_call_return_pc, &attribute) &&
		!dwarf_attr(site, DW_AT_low_pc, &attribute))
		return false;
	return !dwarf_formaddr(&attribute, &address) && address == pc;
}

static bool find(Dwarf_Die *parent, uint64_t pc, unsigned depth, unsigned *budget, Dwarf_Die *ret)
{
	Dwarf_Die die, next;
	bool is_last = dwarf_child(parent, &die) != 0;

	while (!is_last && *budget) {
		--*budget;
		switch (dwarf_tag(&die)) {
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			if (returns_to(&die, pc)) {
				*ret = die;
				return true;
			}
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (depth < DEPTH_MAX && find(&die, pc, depth + 1, budget, ret))
				return true;
			break;
		default:
			break;
		}
		is_last = dwarf_siblingof(&die, &next) != 0;
		die = next;
	}
	return false;
}

bool call_site_find(Dwarf_Die *function, uint64_t pc, Dwarf_Die *ret)
{
	unsigned budget = DIES_MAX;

	return find(function, pc, 0, &budget, ret);
}

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

bool call_site_calls(struct debug_files *files, Dwarf_Die *site, const struct die_names *callee,
	Dwarf_Attribute *target_ret)
{
	static const unsigned targets[] = {DW_AT_call_target, DW_AT_GNU_call_site_target};
	struct die_names names;
	Dwarf_Die origin;

	*target_ret = (Dwarf_Attribute){0};
	if (die_reference(files, site, DW_AT_call_origin, &origin) ||
		die_reference(files, site, DW_AT_abstract_origin, &origin)) {
		die_find_names(files, &origin, &names);
		if (names.linkage_name || callee->linkage_name)
			return is_same(names.linkage_name, callee->linkage_name);
		return is_same(names.name, callee->name);
	}
	for (unsigned i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		if (dwarf_attr(site, targets[i], target_ret))
			break;
	}
	return false;
}

bool call_site_value(Dwarf_Die *site, unsigned number, Dwarf_Attribute *ret)
{
	Dwarf_Attribute location;
	Dwarf_Die die;

	if (dwarf_child(site, &die))
		return false;
	do {
		if (dwarf_tag(&die) != DW_TAG_call_site_parameter &&
			dwarf_tag(&die) != DW_TAG_GNU_call_site_parameter)
			continue;
		if (!dwarf_attr(&die, DW_AT_location, &location) ||
			arg_location_register(&location) != (int)number)
			continue;
		return dwarf_attr(&die, DW_AT_call_value, ret) ||
		       dwarf_attr(&die, DW_AT_GNU_call_site_value, ret);
	} while (!dwarf_siblingof(&die, &die));
	return false;
}
