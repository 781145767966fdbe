// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/arg_plan.h"

#include <dwarf.h>

#include "base/arena.h"
#include "unwind/describe/call_site.h"
#include "unwind/dwarf/scope.h"
#include "unwind/dwarf/unit.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"

enum {
	/** Parameters of one function. */
	PARAMETERS_MAX = 64,
	/** Inlined calls of one frame; as many as have a description. */
	LISTS_MAX = 256,
};

/** A list under construction. */
struct builder {
	struct unwind_module *module;
	struct arg_plan *plan;
	uint64_t lookup;
	unsigned word;
	struct arg_parameter parameters[PARAMETERS_MAX];
	/** What each stands for in the function as written; 0 if itself. */
	Dwarf_Off origins[PARAMETERS_MAX];
	size_t count;
};

static bool is_listed(const struct builder *builder, Dwarf_Off origin)
{
	for (size_t i = 0; i < builder->count; i++) {
		if (builder->origins[i] == origin)
			return true;
	}
	return false;
}

/** The parameter @die; NULL if there are too many. */
static struct arg_parameter *add(struct builder *builder, Dwarf_Die *die)
{
	struct arg_parameter *parameter;
	struct die_names names;

	if (builder->count == PARAMETERS_MAX)
		return NULL;
	builder->origins[builder->count] = 0;
	parameter = &builder->parameters[builder->count++];
	die_find_names(&builder->module->files, die, &names);
	*parameter = (struct arg_parameter){
		.name = names.name ? context_string(builder->module->context, names.name) : NULL,
	};
	arg_type_of(&builder->module->files, die, builder->word, &parameter->type);
	return parameter;
}

static void add_present(struct builder *builder, Dwarf_Die *function)
{
	struct arg_parameter *parameter;
	Dwarf_Die die, origin;

	if (dwarf_child(function, &die))
		return;
	do {
		if (dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		parameter = add(builder, &die);
		if (!parameter)
			return;
		if (die_reference(&builder->module->files, &die, DW_AT_abstract_origin, &origin))
			builder->origins[builder->count - 1] = dwarf_dieoffset(&origin);
		arg_location_find(&die, builder->lookup, &parameter->location);
	} while (!dwarf_siblingof(&die, &die));
}

/** What is not in the copy of a function because nothing was kept of it. */
static void add_missing(struct builder *builder, Dwarf_Die *function)
{
	Dwarf_Die origin, die;

	if (!die_reference(&builder->module->files, function, DW_AT_abstract_origin, &origin) ||
		dwarf_child(&origin, &die))
		return;
	do {
		if (dwarf_tag(&die) != DW_TAG_formal_parameter ||
			is_listed(builder, dwarf_dieoffset(&die)))
			continue;
		if (!add(builder, &die))
			return;
	} while (!dwarf_siblingof(&die, &die));
}

static struct arg_plan_list build_list(struct builder *builder, Dwarf_Die *function)
{
	struct arg_plan_list list;

	builder->count = 0;
	add_present(builder, function);
	add_missing(builder, function);
	list.count = builder->count;
	list.parameters = arena_copy(&builder->module->arg_arena, builder->parameters,
		list.count * sizeof(list.parameters[0]));
	return list;
}

static void build(struct builder *builder, struct unit_table *units, struct unit *unit,
	const struct scope *scope)
{
	struct unwind_module *module = builder->module;
	bool no_inlines = module->context->options.no_inlines;
	struct arg_plan_list lists[LISTS_MAX + 1];
	struct arg_plan *plan = builder->plan;
	Dwarf_Die die;
	size_t count = 0;

	for (; scope; scope = scope->parent) {
		if (!unit_die(units, unit, scope->offset, &die))
			return;
		if (!scope->is_inlined || (!no_inlines && count < LISTS_MAX))
			lists[count++] = build_list(builder, &die);
		plan->entry = scope->entry;
	}
	plan->function = die;
	die_find_names(&module->files, &die, &plan->names);
	plan->lists = arena_copy(&module->arg_arena, lists, count * sizeof(lists[0]));
	plan->count = count;
}

struct arg_plan *arg_plan_get(struct unwind_module *module, uint64_t lookup)
{
	struct arg_plan *plan = hash_get(&module->arg_plans, lookup);
	struct builder builder = {.module = module, .lookup = lookup};
	const struct scope *scope = NULL;
	const struct scope_table *scopes;
	struct unit_table *units;
	struct unit *unit;

	if (plan)
		return plan;
	module_use(module);
	plan = arena_zalloc(&module->arg_arena, sizeof(*plan));
	builder.plan = plan;
	builder.word = module->files.file->headers.is_64 ? 8 : 4;
	units = module_units(module);
	unit = units ? unit_find(units, lookup) : NULL;
	scopes = unit ? unit_scopes(units, unit) : NULL;
	if (scopes)
		scope = scope_find(scopes, lookup);
	if (scope)
		build(&builder, units, unit, scope);
	hash_set(&module->arg_plans, lookup, plan);
	return plan;
}

Dwarf_Die *arg_plan_site(struct arg_plan *plan, uint64_t pc)
{
	if (!plan->site_tried) {
		plan->site_tried = true;
		plan->has_site = call_site_find(&plan->function, pc, &plan->site);
	}
	return plan->has_site ? &plan->site : NULL;
}
