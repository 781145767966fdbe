// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_SCOPE_H
#define UNWIND_DWARF_SCOPE_H

/**
 * The functions of one compilation unit and the calls that were inlined into
 * them, by address. One pass over the unit's DIEs; names are read later, for
 * the few that are asked for.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "unwind/dwarf/split.h"

struct die_entry;
struct die_reader;
struct scope_table;

/** A function, or the copy of one that stands in for a call. */
struct scope {
	/** Its DIE in .debug_info. */
	Dwarf_Off offset;
	/** Where it begins. */
	uint64_t entry;
	/** What it was inlined into; NULL for a function. */
	const struct scope *parent;
	bool is_inlined;
};

/**
 * Calls @fn for each range of @entry, which has more than one or a form that the reader does
 * not know.
 */
typedef void scope_ranges_fn(
	void *context, const struct die_entry *entry, split_range_fn *fn, void *fn_context);

/**
 * The scopes of the unit at whose DIE @reader stands; @ranges is called with @context. Of *@room
 * ranges that may be kept it takes its own; when none is left, scopes are missing.
 */
struct scope_table *scope_table_create(
	const struct die_reader *reader, uint64_t *room, scope_ranges_fn *ranges, void *context);
/** NULL is allowed. */
void scope_table_destroy(struct scope_table *table);
/** The innermost scope around @pc; NULL if none. Its parents lead to the function. */
const struct scope *scope_find(const struct scope_table *table, uint64_t pc);
/**
 * The namespace or type that holds the DIE at @offset of the same unit: false
 * if none does, else the offset of its DIE in *@ret.
 */
bool scope_find_owner(const struct scope_table *table, Dwarf_Off offset, Dwarf_Off *ret);

#endif
