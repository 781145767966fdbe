// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_ARG_PLAN_H
#define UNWIND_DESCRIBE_ARG_PLAN_H

/**
 * What DWARF says about the parameters at one pc of a module: which there are, of which
 * types, and where. Looked up once for each pc; the values are read at each stack.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/describe/arg_location.h"
#include "unwind/describe/arg_type.h"
#include "unwind/dwarf/die.h"

struct unwind_module;

struct arg_parameter {
	/** NULL: the source gives it none. */
	const char *name;
	struct arg_type type;
	struct arg_location location;
};

/** Of one function or inlined call. */
struct arg_plan_list {
	struct arg_parameter *parameters;
	size_t count;
};

struct arg_plan {
	/** In the order of the locations of unwind_describe(); 0 if nothing is known. */
	struct arg_plan_list *lists;
	size_t count;
	/** The function that really exists, its names and its first address. */
	Dwarf_Die function;
	struct die_names names;
	uint64_t entry;
	/** The call that returns to this pc, see arg_plan_site(). */
	bool site_tried, has_site;
	Dwarf_Die site;
};

/**
 * The plan for @lookup, the pc to look up. It belongs to the module and lives until its
 * files are closed.
 */
struct arg_plan *arg_plan_get(struct unwind_module *module, uint64_t lookup);
/** The call site in the plan's function that returns to @pc; NULL if none is described. */
Dwarf_Die *arg_plan_site(struct arg_plan *plan, uint64_t pc);

#endif
