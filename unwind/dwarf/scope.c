// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/scope.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "unwind/dwarf/die_reader.h"
#include "unwind/dwarf/interval_map.h"

/** DIEs nested deeper are left out; it bounds our own recursion. */
enum { DEPTH_MAX = 256 };

struct scope_table {
	struct arena arena;
	/** Values of the intervals are indexes. */
	ARRAY(struct scope *) scopes;
	struct interval_map intervals;
	/** DIEs of namespaces and types by the offsets of what is in them; values are indexes. */
	struct interval_map owned;
	ARRAY(Dwarf_Off) owners;
};

/** A table under construction. */
struct maker {
	struct scope_table *table;
	struct die_reader reader;
	uint64_t *room;
	scope_ranges_fn *ranges;
	void *context;
};

/** A scope under construction. */
struct adder {
	struct scope_table *table;
	Dwarf_Off offset;
	const struct scope *parent;
	bool is_inlined;
	uint64_t *room;
	/** NULL before its first range. */
	struct scope *scope;
	uint32_t index;
};

static void add_range(void *context, uint64_t low, uint64_t high)
{
	struct adder *adder = context;
	struct scope_table *table = adder->table;

	// Linkers set the addresses of code they dropped to 0.
	if (!low || low >= high || !*adder->room)
		return;
	--*adder->room;
	if (!adder->scope) {
		struct scope *scope = arena_zalloc(&table->arena, sizeof(*scope));

		scope->offset = adder->offset;
		scope->entry = low;
		scope->parent = adder->is_inlined ? adder->parent : NULL;
		scope->is_inlined = adder->is_inlined && adder->parent;
		adder->index = (uint32_t)table->scopes.count;
		adder->scope = scope;
		*array_add(&table->scopes) = scope;
	}
	interval_map_add(&table->intervals, low, high, adder->index);
}

/** A scope for @entry, or NULL if it has no code. */
static const struct scope *add_scope(struct maker *maker, const struct die_entry *entry,
	const struct scope *parent, bool is_inlined)
{
	struct adder adder = {.table = maker->table,
		.offset = entry->offset,
		.parent = parent,
		.is_inlined = is_inlined,
		.room = maker->room};

	// Many may share one long list.
	if (!*maker->room)
		return NULL;
	if (entry->extent == DIE_EXTENT_SIMPLE)
		add_range(&adder, entry->low, entry->high);
	else if (entry->extent != DIE_EXTENT_NONE)
		maker->ranges(maker->context, entry, add_range, &adder);
	return adder.scope;
}

static void visit_children(struct maker *maker, const struct die_entry *entry,
	const struct scope *around, unsigned depth);

static void visit_owner(struct maker *maker, const struct die_entry *entry,
	const struct scope *around, unsigned depth)
{
	struct scope_table *table = maker->table;
	uint32_t index = (uint32_t)table->owners.count;

	if (!entry->has_children)
		return;
	// Behind its own first byte: nothing owns itself.
	interval_map_add(&table->owned, entry->offset + 1, UINT64_MAX, index);
	*array_add(&table->owners) = entry->offset;
	visit_children(maker, entry, around, depth);
	interval_map_end(&table->owned, index, die_reader_offset(&maker->reader));
}

static void visit(struct maker *maker, const struct die_entry *entry, const struct scope *around,
	unsigned depth)
{
	const struct scope *scope = NULL;

	switch (entry->tag) {
	case DW_TAG_subprogram:
		scope = add_scope(maker, entry, NULL, /* is_inlined= */ false);
		// What a dropped function has in it is nowhere, though its addresses are not 0.
		if (!scope && entry->extent != DIE_EXTENT_NONE)
			die_reader_skip_children(&maker->reader, entry);
		else
			visit_children(maker, entry, scope, depth);
		break;
	case DW_TAG_inlined_subroutine:
		scope = add_scope(maker, entry, around, /* is_inlined= */ true);
		visit_children(maker, entry, scope ? scope : around, depth);
		break;
	// Names and types hold functions, in C++ and Rust.
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
		visit_owner(maker, entry, around, depth);
		break;
	// Blocks hold inlined calls.
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		visit_children(maker, entry, around, depth);
		break;
	default:
		die_reader_skip_children(&maker->reader, entry);
		break;
	}
}

static void visit_children(struct maker *maker, const struct die_entry *entry,
	const struct scope *around, unsigned depth)
{
	struct die_entry child;

	if (depth == DEPTH_MAX) {
		die_reader_skip_children(&maker->reader, entry);
		return;
	}
	while (entry->has_children && die_reader_next(&maker->reader, &child))
		visit(maker, &child, around, depth + 1);
}

struct scope_table *scope_table_create(
	const struct die_reader *reader, uint64_t *room, scope_ranges_fn *ranges, void *context)
{
	struct scope_table *table = xcalloc(1, sizeof(*table));
	struct maker maker = {.table = table,
		.reader = *reader,
		.room = room,
		.ranges = ranges,
		.context = context};
	struct die_entry root;

	if (die_reader_next(&maker.reader, &root))
		visit_children(&maker, &root, NULL, 0);
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
