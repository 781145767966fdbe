// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/args.h"

#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "unwind/arg_location.h"
#include "unwind/arg_type.h"
#include "unwind/call_site.h"
#include "unwind/context.h"
#include "unwind/die.h"
#include "unwind/module.h"
#include "unwind/scope.h"
#include "unwind/space.h"
#include "unwind/unit.h"

enum {
	/** Parameters of one function, and of one stack. */
	PARAMETERS_MOST = 64,
	STACK_MOST = 4096,
	/** Inlined calls of one frame. */
	LISTS_MOST = 256,
	STRING_DEFAULT = 32,
	STRING_MOST = 4096,
	/** Callers that may be asked for what they passed. */
	CALLERS_MOST = 3,
};

struct reader {
	struct unwind_space *space;
	const struct unwind_source *source;
	const struct arch *arch;
	struct unwind_stack *stack;
	const struct frame_regs *regs;
	unsigned *budget;
	struct arena *arena;
	/** Parameters that may still be read. */
	unsigned left;
};

/** One frame of the stack and its place in the DWARF of its module. */
struct place {
	struct reader *reader;
	size_t index;
	struct unwind_module *module;
	struct unit_table *units;
	const struct scope *scope;
	/** The function that really exists. */
	const struct scope *function;
	struct arg_frame frame;
	/** Callers asked so far. */
	unsigned depth;
};

static bool entry_value(void *context, unsigned number, uint64_t *ret);

/** False if nothing is known about the code of frame @index. */
static bool find_place(struct reader *reader, size_t index, unsigned depth, struct place *ret)
{
	const struct unwind_frame *frame = &reader->stack->frames[index];
	struct unwind_module *module = (struct unwind_module *)frame->module;
	uint64_t pc = frame_lookup_pc(frame->address, frame->module_pc);
	const struct scope_table *scopes;
	struct unit *unit;

	if (!module || module->is_closed)
		return false;
	module_use(module);
	*ret = (struct place){.reader = reader, .index = index, .module = module, .depth = depth};
	ret->units = module_units(module);
	unit = ret->units ? unit_find(ret->units, pc) : NULL;
	scopes = unit ? unit_scopes(ret->units, unit) : NULL;
	ret->scope = scopes ? scope_find(scopes, pc) : NULL;
	if (!ret->scope)
		return false;
	ret->function = ret->scope;
	while (ret->function->parent)
		ret->function = ret->function->parent;
	ret->frame = (struct arg_frame){
		.arch = reader->arch,
		.source = reader->source,
		.memory = &reader->space->context->memory,
		.arena = reader->arena,
		.budget = reader->budget,
		.regs = &reader->regs[index],
		.cfa = frame->cfa,
		.bias = frame->pc - frame->module_pc,
		.pc = pc,
		.entry_value = entry_value,
	};
	return unit_die(ret->units, ret->function->offset, &ret->frame.function);
}

/** Whether @site in the @caller's code called the function of @callee. */
static bool is_call_of(const struct place *caller, Dwarf_Die *site, const struct place *callee)
{
	Dwarf_Die function = callee->frame.function;
	Dwarf_Attribute target;
	struct die_names names;
	uint64_t address;

	die_find_names(callee->module, &function, &names);
	if (call_site_calls(caller->module, site, &names, &target))
		return true;
	return target.code && arg_location_number(&caller->frame, &target, &address) &&
	       address == callee->function->entry + callee->frame.bias;
}

static bool entry_value(void *context, unsigned number, uint64_t *ret)
{
	const struct place *callee = context;
	struct reader *reader = callee->reader;
	const struct unwind_stack *stack = reader->stack;
	size_t index = callee->index + 1;
	Dwarf_Attribute value;
	struct place caller;
	Dwarf_Die site;

	if (callee->depth == CALLERS_MOST || index == stack->count ||
		(stack->folded && index == stack->fold_at) ||
		stack->frames[index].address != FRAME_ADDRESS_RETURN)
		return false;
	if (!find_place(reader, index, callee->depth + 1, &caller))
		return false;
	caller.frame.entry_context = &caller;
	return call_site_find(&caller.frame.function, stack->frames[index].module_pc, &site) &&
	       is_call_of(&caller, &site, callee) && call_site_value(&site, number, &value) &&
	       arg_location_number(&caller.frame, &value, ret);
}

/** The characters at @address; false if there are none. */
static bool read_string(const struct place *place, taddr address, struct unwind_arg *arg)
{
	const struct unwind_source *source = place->reader->source;
	size_t most = place->reader->space->context->options.arg_string_limit, length;
	char *text;

	most = !most ? STRING_DEFAULT : most > STRING_MOST ? STRING_MOST : most;
	text = arena_alloc(place->reader->arena, most + 1);
	length = source->ops->read(source->context, address, text, most + 1);
	arg->length = strnlen(text, length);
	// Cut by the limit or by the end of what is mapped.
	arg->is_cut = arg->length == length;
	if (arg->length > most)
		arg->length = most;
	arg->text = text;
	return length > 0;
}

/** The function that starts at @address, or NULL. */
static const char *function_at(const struct place *place, taddr address)
{
	struct reader *reader = place->reader;
	struct unwind_frame frame = {.pc = address, .address = FRAME_ADDRESS_EXACT};
	const struct unwind_description *what;
	bool may_reread = false;

	if (!space_locate(reader->space, reader->source, &may_reread, &frame))
		return NULL;
	what = unwind_describe(reader->space->context, &frame);
	return what->symbol_offset ? NULL : what->locations[what->count - 1].function;
}

/** @value, as its type wants it, into @arg. */
static void use_number(const struct place *place, const struct arg_type *type, uint64_t value,
	struct unwind_arg *arg)
{
	bool is_signed = type->kind == ARG_TYPE_SIGNED || type->kind == ARG_TYPE_SIGNED_CHARACTER ||
			 (type->kind == ARG_TYPE_ENUM && type->is_signed);

	arg->number = is_signed ? sign_extend(value, type->size) : value;
	switch (type->kind) {
	case ARG_TYPE_SIGNED:
		arg->kind = UNWIND_ARG_SIGNED;
		break;
	case ARG_TYPE_UNSIGNED:
		arg->kind = UNWIND_ARG_UNSIGNED;
		break;
	case ARG_TYPE_BOOL:
		arg->kind = value < 2 ? UNWIND_ARG_BOOL : UNWIND_ARG_UNSIGNED;
		break;
	case ARG_TYPE_SIGNED_CHARACTER:
	case ARG_TYPE_UNSIGNED_CHARACTER:
		arg->kind = UNWIND_ARG_CHARACTER;
		break;
	case ARG_TYPE_POINTER:
		arg->kind = UNWIND_ARG_POINTER;
		break;
	case ARG_TYPE_CHARACTER_POINTER:
		arg->kind = value && read_string(place, value, arg) ? UNWIND_ARG_STRING
								    : UNWIND_ARG_POINTER;
		break;
	case ARG_TYPE_FUNCTION_POINTER:
		arg->kind = UNWIND_ARG_POINTER;
		arg->text = value ? function_at(place, value) : NULL;
		break;
	case ARG_TYPE_ENUM:
		arg->text = arg_type_enum_names(
			place->module, type, (int64_t)arg->number, place->reader->arena);
		arg->kind = arg->text	      ? UNWIND_ARG_ENUM
			    : type->is_signed ? UNWIND_ARG_SIGNED
					      : UNWIND_ARG_UNSIGNED;
		break;
	case ARG_TYPE_REAL:
	case ARG_TYPE_AGGREGATE:
		arg->kind = UNWIND_ARG_AGGREGATE;
		break;
	}
}

static void use_bytes(const struct place *place, const struct arg_type *type,
	const uint8_t data[ARG_VALUE_MOST], struct unwind_arg *arg)
{
	uint64_t number = 0;
	float single;

	arg->size = (uint8_t)type->size;
	if (type->kind != ARG_TYPE_REAL) {
		memcpy(&number, data, type->size < 8 ? type->size : 8);
		use_number(place, type, number, arg);
		return;
	}
	arg->kind = UNWIND_ARG_REAL;
	if (type->size == sizeof(single)) {
		memcpy(&single, data, sizeof(single));
		arg->real = (double)single;
	} else {
		memcpy(&arg->real, data, sizeof(arg->real));
	}
}

/** The value of the parameter @die; of references that of what they refer to. */
static void read_value(struct place *place, Dwarf_Die *die, struct unwind_arg *arg)
{
	const struct unwind_source *source = place->reader->source;
	struct arg_type type;
	uint8_t data[ARG_VALUE_MOST] = {0};
	unsigned word = place->frame.arch->word;

	arg_type_of(place->module, die, word, &type);
	arg->kind = UNWIND_ARG_AGGREGATE;
	if (type.kind == ARG_TYPE_AGGREGATE || !type.size)
		return;
	place->frame.entry_context = place;
	switch (arg_location_read(&place->frame, die, type.is_reference ? word : type.size, data)) {
	case ARG_LOCATION_FOUND:
		break;
	case ARG_LOCATION_NONE:
		arg->kind = UNWIND_ARG_OPTIMIZED_OUT;
		return;
	case ARG_LOCATION_UNAVAILABLE:
		arg->kind = UNWIND_ARG_UNAVAILABLE;
		return;
	case ARG_LOCATION_SYNTHETIC_POINTER:
		arg->kind = UNWIND_ARG_SYNTHETIC_POINTER;
		return;
	}
	if (type.is_reference) {
		arg->is_reference = true;
		memcpy(&arg->address, data, word);
		if (source->ops->read(source->context, arg->address, data, type.size) !=
			type.size) {
			arg->kind = UNWIND_ARG_UNAVAILABLE;
			return;
		}
	}
	use_bytes(place, &type, data, arg);
}

/** Parameters under way. */
struct parameters {
	struct unwind_arg args[PARAMETERS_MOST];
	/** What each stands for, in the function as written; 0 if itself. */
	Dwarf_Off origins[PARAMETERS_MOST];
	size_t count;
};

static bool is_listed(const struct parameters *parameters, Dwarf_Off origin)
{
	for (size_t i = 0; i < parameters->count; i++) {
		if (parameters->origins[i] == origin)
			return true;
	}
	return false;
}

/** The next parameter; NULL if there are too many. */
static struct unwind_arg *add(struct place *place, struct parameters *parameters, Dwarf_Die *die)
{
	struct unwind_context *context = place->reader->space->context;
	struct unwind_arg *arg;
	struct die_names names;

	if (parameters->count == PARAMETERS_MOST || !place->reader->left)
		return NULL;
	place->reader->left--;
	parameters->origins[parameters->count] = 0;
	arg = &parameters->args[parameters->count++];
	die_find_names(place->module, die, &names);
	*arg = (struct unwind_arg){.name = names.name ? context_string(context, names.name) : NULL};
	return arg;
}

/** What is not in the copy of a function because nothing was kept of it. */
static void add_missing(struct place *place, Dwarf_Die *function, struct parameters *parameters)
{
	Dwarf_Die origin, die;
	struct arg_type type;

	if (!die_reference(place->module, function, DW_AT_abstract_origin, &origin) ||
		dwarf_child(&origin, &die))
		return;
	do {
		struct unwind_arg *arg;

		if (dwarf_tag(&die) != DW_TAG_formal_parameter ||
			is_listed(parameters, dwarf_dieoffset(&die)))
			continue;
		arg = add(place, parameters, &die);
		if (!arg)
			return;
		arg_type_of(place->module, &die, place->frame.arch->word, &type);
		arg->kind = type.kind == ARG_TYPE_AGGREGATE ? UNWIND_ARG_AGGREGATE
							    : UNWIND_ARG_OPTIMIZED_OUT;
	} while (!dwarf_siblingof(&die, &die));
}

static struct unwind_arg_list read_list(struct place *place, const struct scope *scope)
{
	struct parameters parameters = {.count = 0};
	struct unwind_arg_list list = {0};
	Dwarf_Die function, die, origin;

	if (!unit_die(place->units, scope->offset, &function))
		return list;
	if (!dwarf_child(&function, &die)) {
		do {
			struct unwind_arg *arg;

			if (dwarf_tag(&die) != DW_TAG_formal_parameter)
				continue;
			arg = add(place, &parameters, &die);
			if (!arg)
				break;
			if (die_reference(place->module, &die, DW_AT_abstract_origin, &origin))
				parameters.origins[parameters.count - 1] = dwarf_dieoffset(&origin);
			read_value(place, &die, arg);
		} while (!dwarf_siblingof(&die, &die));
	}
	add_missing(place, &function, &parameters);
	list.count = parameters.count;
	list.args = arena_copy(
		place->reader->arena, parameters.args, list.count * sizeof(parameters.args[0]));
	return list;
}

static void read_frame(struct reader *reader, size_t index)
{
	bool no_inlines = reader->space->context->options.no_inlines;
	struct unwind_frame *frame = &reader->stack->frames[index];
	struct unwind_arg_list lists[LISTS_MOST + 1];
	struct place place;
	size_t count = 0;

	if (frame->is_signal_frame || !find_place(reader, index, 0, &place))
		return;
	for (const struct scope *scope = place.scope; scope; scope = scope->parent) {
		if (!scope->is_inlined || (!no_inlines && count < LISTS_MOST))
			lists[count++] = read_list(&place, scope);
	}
	frame->args = arena_copy(reader->arena, lists, count * sizeof(lists[0]));
	frame->arg_list_count = count;
}

void args_read(struct unwind_space *space, const struct unwind_source *source,
	struct unwind_stack *stack, const struct frame_regs *regs, unsigned *budget,
	struct arena *arena)
{
	struct reader reader = {
		.space = space,
		.source = source,
		.arch = arch_get(space->arch),
		.stack = stack,
		.regs = regs,
		.budget = budget,
		.arena = arena,
		.left = STACK_MOST,
	};

	for (size_t i = 0; i < stack->count; i++)
		read_frame(&reader, i);
}
