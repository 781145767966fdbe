// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/args.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "unwind/describe/arg_location.h"
#include "unwind/describe/arg_plan.h"
#include "unwind/describe/arg_type.h"
#include "unwind/describe/call_site.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/module/space.h"

enum {
	/** Parameters of one stack. */
	STACK_MAX = 4096,
	STRING_DEFAULT = 32,
	STRING_MAX = 4096,
	/** Callers that may be asked for what they passed. */
	CALLERS_MAX = 3,
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

/** One frame of the stack and what is known about its code. */
struct place {
	struct reader *reader;
	size_t index;
	struct unwind_module *module;
	struct arg_plan *plan;
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

	if (!module || module->is_closed || !module->files.file)
		return false;
	*ret = (struct place){.reader = reader, .index = index, .module = module, .depth = depth};
	ret->plan = arg_plan_get(module, pc);
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
		.function = &ret->plan->function,
		.entry_value = entry_value,
	};
	return ret->plan->count > 0;
}

/** Whether @site in the @caller's code called the function of @callee. */
static bool is_call_of(const struct place *caller, Dwarf_Die *site, const struct place *callee)
{
	Dwarf_Attribute target;
	uint64_t address;

	if (call_site_calls(&caller->module->files, site, &callee->plan->names, &target))
		return true;
	return target.code && arg_location_number(&caller->frame, &target, &address) &&
	       address == callee->plan->entry + callee->frame.bias;
}

static bool entry_value(void *context, unsigned number, uint64_t *ret)
{
	const struct place *callee = context;
	struct reader *reader = callee->reader;
	const struct unwind_stack *stack = reader->stack;
	size_t index = callee->index + 1;
	Dwarf_Attribute value;
	struct place caller;
	Dwarf_Die *site;

	if (callee->depth == CALLERS_MAX || index == stack->count ||
		(stack->folded && index == stack->fold_at) ||
		stack->frames[index].address != FRAME_ADDRESS_RETURN)
		return false;
	if (!find_place(reader, index, callee->depth + 1, &caller))
		return false;
	caller.frame.entry_context = &caller;
	site = arg_plan_site(caller.plan, stack->frames[index].module_pc);
	return site && is_call_of(&caller, site, callee) && call_site_value(site, number, &value) &&
	       arg_location_number(&caller.frame, &value, ret);
}

/** The characters at @address; false if there are none. */
static bool read_string(const struct place *place, taddr address, struct unwind_arg *arg)
{
	const struct unwind_source *source = place->reader->source;
	size_t most = place->reader->space->context->options.arg_string_limit, length;
	char *text;

	most = !most ? STRING_DEFAULT : most > STRING_MAX ? STRING_MAX : most;
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
			&place->module->files, type, (int64_t)arg->number, place->reader->arena);
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
	const uint8_t data[ARG_VALUE_MAX], struct unwind_arg *arg)
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

/** The value of @parameter; of references that of what they refer to. */
static void read_value(
	struct place *place, const struct arg_parameter *parameter, struct unwind_arg *arg)
{
	const struct unwind_source *source = place->reader->source;
	const struct arg_type *type = &parameter->type;
	unsigned word = place->frame.arch->word;
	uint8_t data[ARG_VALUE_MAX] = {0};

	arg->name = parameter->name;
	arg->kind = UNWIND_ARG_AGGREGATE;
	if (type->kind == ARG_TYPE_AGGREGATE || !type->size)
		return;
	switch (arg_location_read(&place->frame, &parameter->location,
		type->is_reference ? word : type->size, data)) {
	case ARG_FOUND:
		break;
	case ARG_NOWHERE:
		arg->kind = UNWIND_ARG_OPTIMIZED_OUT;
		return;
	case ARG_UNAVAILABLE:
		arg->kind = UNWIND_ARG_UNAVAILABLE;
		return;
	case ARG_SYNTHETIC_POINTER:
		arg->kind = UNWIND_ARG_SYNTHETIC_POINTER;
		return;
	}
	if (type->is_reference) {
		arg->is_reference = true;
		memcpy(&arg->address, data, word);
		if (source->ops->read(source->context, arg->address, data, type->size) !=
			type->size) {
			arg->kind = UNWIND_ARG_UNAVAILABLE;
			return;
		}
	}
	use_bytes(place, type, data, arg);
}

static struct unwind_arg_list read_list(struct place *place, const struct arg_plan_list *plan)
{
	struct reader *reader = place->reader;
	size_t count = plan->count < reader->left ? plan->count : reader->left;
	struct unwind_arg *args = arena_zalloc(reader->arena, count * sizeof(*args));

	reader->left -= (unsigned)count;
	for (size_t i = 0; i < count; i++)
		read_value(place, &plan->parameters[i], &args[i]);
	return (struct unwind_arg_list){args, count};
}

static void read_frame(struct reader *reader, size_t index)
{
	struct unwind_frame *frame = &reader->stack->frames[index];
	struct unwind_arg_list *lists;
	struct place place;

	if (frame->is_signal_frame || !find_place(reader, index, 0, &place))
		return;
	place.frame.entry_context = &place;
	lists = arena_alloc(reader->arena, place.plan->count * sizeof(*lists));
	for (size_t i = 0; i < place.plan->count; i++)
		lists[i] = read_list(&place, &place.plan->lists[i]);
	frame->args = lists;
	frame->arg_list_count = place.plan->count;
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
		.left = STACK_MAX,
	};

	for (size_t i = 0; i < stack->count; i++)
		read_frame(&reader, i);
}
