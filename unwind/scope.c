// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/scope.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "unwind/interval_map.h"
#include "unwind/split.h"

enum {
	/** DIEs nested deeper are left out; it bounds our own recursion. */
	DEPTH_MOST = 256,
	/** Intervals of one unit. */
	INTERVALS_MOST = 1 << 24,
};

struct scope_table {
	struct arena arena;
	/** Only valid while the table is made. */
	const struct split_unit *split;
	/** Values of the intervals are indexes. */
	ARRAY(struct scope *) scopes;
	struct interval_map intervals;
	/** DIEs of namespaces and types by the offsets of what is in them; values are indexes. */
	struct interval_map owned;
	ARRAY(Dwarf_Off) owners;
};

/** A scope under construction. */
struct adder {
	struct scope_table *table;
	Dwarf_Die *die;
	const struct scope *parent;
	bool is_inlined;
	/** NULL before its first range. */
	struct scope *scope;
	uint32_t index;
};

static void add_range(void *context, uint64_t low, uint64_t high)
{
	struct adder *adder = context;
	struct scope_table *table = adder->table;

	// Linkers set the addresses of code they dropped to 0.
	if (!low || low >= high || table->intervals.intervals.count == INTERVALS_MOST)
		return;
	if (!adder->scope) {
		struct scope *scope = arena_zalloc(&table->arena, sizeof(*scope));

		scope->offset = dwarf_dieoffset(adder->die);
		scope->entry = low;
		scope->parent = adder->is_inlined ? adder->parent : NULL;
		scope->is_inlined = adder->is_inlined && adder->parent;
		adder->index = (uint32_t)table->scopes.count;
		adder->scope = scope;
		*array_add(&table->scopes) = scope;
	}
	interval_map_add(&table->intervals, low, high, adder->index);
}

/** A scope for @die, or NULL if it has no code. */
static const struct scope *add_scope(
	struct scope_table *table, Dwarf_Die *die, const struct scope *parent, bool is_inlined)
{
	struct adder adder = {
		.table = table, .die = die, .parent = parent, .is_inlined = is_inlined};
	Dwarf_Addr base, low, high;
	ptrdiff_t position = 0;

	if (table->split) {
		split_unit_ranges(table->split, die, add_range, &adder);
		return adder.scope;
	}
	while ((position = dwarf_ranges(die, position, &base, &low, &high)) > 0)
		add_range(&adder, low, high);
	return adder.scope;
}

static void visit_children(
	struct scope_table *table, Dwarf_Die *die, const struct scope *around, unsigned depth);

/** @size is that of the DIE with all that is in it. */
static void add_owner(struct scope_table *table, Dwarf_Die *die, uint64_t size)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	// Behind its own first byte: nothing owns itself.
	interval_map_add(&table->owned, offset + 1, offset + size, (uint32_t)table->owners.count);
	*array_add(&table->owners) = offset;
}

static void visit(struct scope_table *table, Dwarf_Die *die, uint64_t size,
	const struct scope *around, unsigned depth)
{
	const struct scope *scope = NULL;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		scope = add_scope(table, die, NULL, /* is_inlined= */ false);
		visit_children(table, die, scope, depth);
		break;
	case DW_TAG_inlined_subroutine:
		scope = add_scope(table, die, around, /* is_inlined= */ true);
		visit_children(table, die, scope ? scope : around, depth);
		break;
	// Names and types hold functions, in C++ and Rust.
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
		add_owner(table, die, size);
		visit_children(table, die, around, depth);
		break;
	// Blocks hold inlined calls.
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		visit_children(table, die, around, depth);
		break;
	default:
		break;
	}
}

static void visit_children(
	struct scope_table *table, Dwarf_Die *die, const struct scope *around, unsigned depth)
{
	Dwarf_Die child, next;

	if (depth == DEPTH_MOST || dwarf_child(die, &child))
		return;
	for (;;) {
		bool is_last = dwarf_siblingof(&child, &next);
		// For the last one libdw gives what comes behind all of it.
		ptrdiff_t size = (const char *)next.addr - (const char *)child.addr;

		visit(table, &child, size > 0 ? (uint64_t)size : 0, around, depth + 1);
		// A sibling before its elder would make a damaged file endless.
		if (is_last || size <= 0)
			return;
		child = next;
	}
}

struct scope_table *scope_table_create(Dwarf_Die *unit, const struct split_unit *split)
{
	struct scope_table *table = xcalloc(1, sizeof(*table));

	table->split = split;
	visit_children(table, unit, NULL, 0);
	interval_map_seal(&table->intervals);
	interval_map_seal(&table->owned);
	return table;
}

void scope_table_destroy(struct scope_table *table)
{
	if (!table)
		return;
	array_deinit(&table->scopes);
	interval_map_deinit(&table->intervals);
	interval_map_deinit(&table->owned);
	array_deinit(&table->owners);
	arena_deinit(&table->arena);
	free(table);
}

const struct scope *scope_find(const struct scope_table *table, uint64_t pc)
{
	uint32_t index = interval_map_find(&table->intervals, pc);

	return index == INTERVAL_NONE ? NULL : table->scopes.data[index];
}

bool scope_find_owner(const struct scope_table *table, Dwarf_Off offset, Dwarf_Off *ret)
{
	uint32_t index = interval_map_find(&table->owned, offset);

	if (index == INTERVAL_NONE)
		return false;
	*ret = table->owners.data[index];
	return true;
}
