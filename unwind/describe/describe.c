// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "unwind/cache/symbol_cache.h"
#include "unwind/debuginfo/search.h"
#include "unwind/debuginfod.h"
#include "unwind/describe/demangle.h"
#include "unwind/describe/download.h"
#include "unwind/dwarf/die.h"
#include "unwind/dwarf/die_facts.h"
#include "unwind/dwarf/scope.h"
#include "unwind/dwarf/unit.h"
#include "unwind/elf/elf_file.h"
#include "unwind/elf/symbol.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/unwind.h"

enum {
	/** Inlined calls shown for one address. */
	INLINED_MAX = 256,
	/** Namespaces and types that a name is qualified with. */
	OWNERS_MAX = 32,
};

/** A description under construction. */
struct describer {
	struct unwind_context *context;
	struct unwind_module *module;
	/** The frame's pc and the address to look up, in the module's terms. */
	uint64_t pc, lookup;
	/** @found, or NULL. */
	const struct symbol *symbol;
	struct symbol found;
	/** NULL without DWARF for the address. */
	struct unit_table *units;
	struct unit *unit;
	ARRAY(struct unwind_location) locations;
	struct unwind_description *result;
};

static struct symbol_table *symbols_of(struct unwind_module *module)
{
	struct elf_file *files[3];

	if (!module->symbols) {
		bool is_stripped =
			!module->files.file || !elf_file_section(module->files.file, ".symtab");

		files[0] = module->files.file;
		files[1] = is_stripped ? search_debug_file(&module->files) : NULL;
		files[2] = search_mini_file(&module->files);
		module->symbols = symbol_table_create(files, ARRAY_SIZE(files));
	}
	return module->symbols;
}

static const char *readable(const struct describer *describer, const char *name)
{
	cleanup_free char *demangled = NULL;

	if (describer->context->options.no_demangle)
		return context_string(describer->context, name);
	demangled = demangle(name);
	return context_string(describer->context, demangled ? demangled : name);
}

static bool is_mangled(const char *name)
{
	return !strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) || !strncmp(name, "_D", 2);
}

/** Without the version that .symtab of some linkers appends. */
static const char *symbol_name(const struct describer *describer, const struct symbol *symbol)
{
	size_t length = strcspn(symbol->name, "@");
	cleanup_free char *name = NULL;

	if (!length)
		return context_string(describer->context, symbol->name);
	name = xstrndup(symbol->name, length);
	return context_string(describer->context, name);
}

/** A string of an ELF file, which may be closed, for the context's life; NULL stays NULL. */
static const char *keep(const struct describer *describer, const char *text)
{
	return text ? context_string(describer->context, text) : NULL;
}

/**
 * Compilers leave out the linkage name of some inlined functions; what debuggers
 * show then is made of the names of what the function is declared in.
 */
static const char *qualified_name(const struct describer *describer, struct die_names *names)
{
	const struct scope_table *scopes = unit_scopes(describer->units, describer->unit);
	struct arena *arena = &describer->context->arena;
	const char *text = keep(describer, names->name);
	Dwarf_Off offset = names->named;
	Dwarf_Die owner;

	if (names->is_elsewhere)
		return text;
	for (int i = 0; i < OWNERS_MAX && scope_find_owner(scopes, offset, &offset); i++) {
		const char *name;

		if (!unit_die(describer->units, describer->unit, offset, &owner))
			break;
		name = die_string(&describer->module->files, &owner, DW_AT_name);
		if (!name && dwarf_tag(&owner) == DW_TAG_namespace)
			name = "(anonymous namespace)";
		if (name)
			text = arena_printf(arena, "%s::%s", name, text);
	}
	return text;
}

/** What to show for the function or inlined call that DWARF calls @names; NULL if nothing. */
static const char *name_of(const struct describer *describer, struct die_names *names)
{
	if (names->linkage_name)
		return readable(describer, names->linkage_name);
	return names->name ? qualified_name(describer, names) : NULL;
}

static void use_symbol(struct describer *describer, struct unwind_location *location)
{
	location->linkage_name = symbol_name(describer, describer->symbol);
	location->function = readable(describer, location->linkage_name);
	describer->result->symbol_offset = describer->pc - describer->symbol->address;
}

/**
 * Names the function that really exists. Where several names stand for one
 * address, DWARF says which one the source meant, as debuggers show it. A
 * part of a function that was moved away (.cold) has a symbol of its own, and
 * the offset only makes sense from there.
 */
static void name_function(
	struct describer *describer, const struct scope *scope, struct unwind_location *location)
{
	const struct symbol *symbol = describer->symbol;
	struct die_facts facts = {0};
	struct die_names names;

	if (scope && (!symbol || symbol->address == scope->entry))
		unit_facts(describer->units, describer->unit, scope->offset, &facts);
	names = facts.names;
	if (!names.linkage_name && symbol && (!names.name || is_mangled(symbol->name))) {
		use_symbol(describer, location);
		return;
	}
	if (!names.name && !names.linkage_name)
		return;
	location->linkage_name = keep(describer, names.linkage_name);
	location->function = name_of(describer, &names);
	if (!location->linkage_name && symbol)
		location->linkage_name = symbol_name(describer, symbol);
	if (describer->pc >= scope->entry)
		describer->result->symbol_offset = describer->pc - scope->entry;
}

/** Names the inlined call @scope and fills in where it was called, for the next location. */
static void add_inlined(
	struct describer *describer, const struct scope *scope, struct unit_line *line)
{
	struct unwind_location location = {
		.file = keep(describer, line->file),
		.line = line->line,
		.column = line->column,
		.is_inlined = true,
	};
	struct die_facts facts;

	*line = (struct unit_line){0};
	if (!unit_facts(describer->units, describer->unit, scope->offset, &facts))
		return;
	location.linkage_name = keep(describer, facts.names.linkage_name);
	location.function = name_of(describer, &facts.names);
	*array_add(&describer->locations) = location;
	if (facts.has_call_file)
		line->file = unit_file(describer->units, describer->unit, facts.call_file);
	line->line = (unsigned)facts.call_line;
	line->column = (unsigned)facts.call_column;
}

static void locate(struct describer *describer)
{
	bool no_inlines = describer->context->options.no_inlines;
	struct unwind_location location = {0};
	const struct scope_table *scopes;
	const struct scope *scope = NULL;
	struct unit_line line = {0};

	if (describer->unit) {
		unit_find_line(describer->units, describer->unit, describer->lookup, &line);
		scopes = unit_scopes(describer->units, describer->unit);
		scope = scopes ? scope_find(scopes, describer->lookup) : NULL;
	}
	for (; scope && scope->is_inlined; scope = scope->parent) {
		if (!no_inlines && describer->locations.count < INLINED_MAX)
			add_inlined(describer, scope, &line);
	}
	location.file = keep(describer, line.file);
	location.line = line.line;
	location.column = line.column;
	name_function(describer, scope, &location);
	*array_add(&describer->locations) = location;
}

static void give_reasons(struct describer *describer)
{
	const struct unwind_location *first = &describer->locations.data[0];
	const struct unwind_location *last =
		&describer->locations.data[describer->locations.count - 1];
	bool has_file = describer->module->files.file && !describer->module->files.file_is_image;
	struct unwind_description *result = describer->result;

	if (!last->function)
		result->no_function = has_file ? UNWIND_REASON_NO_SYMBOL : UNWIND_REASON_NO_FILE;
	if (!first->line)
		result->no_line = has_file ? UNWIND_REASON_NO_LINE : UNWIND_REASON_NO_FILE;
}

static struct unwind_description *describe(
	struct unwind_module *module, uint64_t pc, uint64_t lookup)
{
	struct arena *arena = &module->context->arena;
	struct describer describer = {
		.context = module->context, .module = module, .pc = pc, .lookup = lookup};

	module_use(module);
	describer.result = arena_zalloc(arena, sizeof(*describer.result));
	if (symbol_find(symbols_of(module), lookup, &describer.found))
		describer.symbol = &describer.found;
	if (!module->context->options.no_lines)
		describer.units = module_units(module);
	if (describer.units)
		describer.unit = unit_find(describer.units, lookup);
	locate(&describer);
	give_reasons(&describer);
	describer.result->count = describer.locations.count;
	describer.result->locations = arena_copy(arena, describer.locations.data,
		describer.locations.count * sizeof(describer.locations.data[0]));
	array_deinit(&describer.locations);
	return describer.result;
}

/** Generated code has only the name that its program gave it. */
static const struct unwind_description *describe_generated(
	struct unwind_context *context, const struct unwind_frame *frame)
{
	uint64_t offset = frame->pc - frame->generated_start;
	uint64_t key = hash_u64((uintptr_t)frame->generated_name + hash_u64(offset));
	struct unwind_description *description = hash_get(&context->generated, key);
	struct unwind_location *location;

	if (description && description->locations[0].function == frame->generated_name &&
		description->symbol_offset == offset)
		return description;
	location = arena_zalloc(&context->arena, sizeof(*location));
	location->function = frame->generated_name;
	description = arena_zalloc(&context->arena, sizeof(*description));
	*description = (struct unwind_description){
		.locations = location,
		.count = 1,
		.symbol_offset = offset,
		.no_line = UNWIND_REASON_NO_MODULE,
	};
	hash_set(&context->generated, key, description);
	return description;
}

bool unwind_is_pending(struct unwind_context *context, const struct unwind_frame *frame)
{
	struct unwind_module *module = (struct unwind_module *)frame->module;
	const struct unwind_description *known;

	if (!module || !context->options.debuginfod || !download_is_unsettled(module))
		return false;
	symbol_cache_load(&module->symbol_cache, &context->symbol_store, &module->files);
	known = symbol_cache_get(&module->symbol_cache, frame->address,
		frame_lookup_pc(frame->address, frame->module_pc));
	return !known && download_is_pending(module);
}

void unwind_wait(struct unwind_context *context)
{
	debuginfod_wait(context->options.debuginfod);
}

void unwind_count_shown(const struct unwind_description *description)
{
	// Only those who describe may change anything but this.
	((struct unwind_description *)description)->shown++;
}

const struct unwind_description *unwind_describe(
	struct unwind_context *context, const struct unwind_frame *frame)
{
	struct unwind_module *module = (struct unwind_module *)frame->module;
	struct unwind_description *description;
	struct symbol_cache *known;
	uint64_t lookup;

	if (!module)
		return frame->generated_name ? describe_generated(context, frame)
					     : &context->no_module;
	known = &module->symbol_cache;
	lookup = frame_lookup_pc(frame->address, frame->module_pc);
	symbol_cache_load(known, &context->symbol_store, &module->files);
	description = symbol_cache_get(known, frame->address, lookup);
	if (!description) {
		// Without its files nothing is known of it, until a walk opens them again.
		if (module->is_closed)
			return &context->no_file;
		description = describe(module, frame->module_pc, lookup);
		// A server may still send more.
		description->is_final = !download_is_unsettled(module);
		if (description->is_final)
			symbol_cache_set(known, frame->address, lookup, description);
	}
	return description;
}
