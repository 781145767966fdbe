// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/select.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "decode/call.h"
#include "decode/eval.h"
#include "decode/hook.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/syscall.h"
#include "schema/type.h"

static bool case_holds(struct walk *walk, const struct select_case *each, uint64_t selector)
{
	return each->value[walk->abi] == selector && !(each->lacking >> walk->abi & 1) &&
	       (!each->condition || eval(walk, each->condition));
}

struct value *select_case(struct walk *walk, const struct type *type, const struct place *place)
{
	uint64_t selector = eval(walk, type->selector);
	const struct type *chosen = type->otherwise;
	uint64_t number;

	for (unsigned i = 0; i < type->case_count; i++) {
		const struct select_case *each = &type->cases[i];

		if (case_holds(walk, each, selector)) {
			chosen = each->type;
			break;
		}
	}
	if (chosen)
		return walk_type(walk, chosen, place);
	if (!fetch_word(walk, place, &number))
		return NULL;
	return value_number(walk->arena, number, RADIX_HEX, walk->word);
}

struct value *select_apply(struct walk *walk, const struct type *type, const struct place *place)
{
	struct scope outer = walk->scope;
	unsigned count =
		type->argument_count < HOOK_ARGS_MAX ? type->argument_count : HOOK_ARGS_MAX;
	uint64_t params[HOOK_ARGS_MAX];
	struct value *value;

	for (unsigned i = 0; i < count; i++)
		params[i] = eval(walk, type->arguments[i]);
	walk->scope.params = params;
	walk->scope.param_count = count;
	value = walk_type(walk, type->target, place);
	walk->scope = outer;
	return value;
}

static uint64_t raw_argument(const struct walk *walk, const struct argument *argument)
{
	const uint64_t *regs = walk->call->regs;
	unsigned reg = argument->reg[walk->abi];
	uint64_t number = reg < CALL_REGS ? zero_extend(regs[reg], walk->register_size) : 0;

	if (!argument->two_regs[walk->abi] || reg + 1 >= CALL_REGS)
		return number;
	if (argument->high_first)
		return number << 32 | zero_extend(regs[reg + 1], walk->register_size);
	return number | regs[reg + 1] << 32;
}

static uint64_t cut_argument(const struct walk *walk, const struct argument *argument)
{
	const struct type *type = argument->type;
	uint64_t number = raw_argument(walk, argument);
	unsigned size = type->size[walk->abi];

	// Types with a size of their own that is not a number's stand for a whole register.
	if (size == 0 || size > 8 || type->kind == TYPE_STRUCT)
		size = argument->two_regs[walk->abi] ? 8 : walk->word;
	return type->is_signed ? sign_extend(number, size) : zero_extend(number, size);
}

void select_arguments(struct walk *walk)
{
	const struct signature *signature = walk->call->signature;

	for (unsigned i = 0; i < signature->arg_count && i < WALK_ARGS_MAX; i++)
		walk->args[i] = cut_argument(walk, &signature->args[i]);
}

// Index into the ABI's order of the first case whose value is not less than @selector.
static unsigned first_variant(const struct signature *signature, enum abi_id abi, uint64_t selector)
{
	const uint16_t *order = signature->order[abi];
	unsigned low = 0;
	unsigned high = signature->order_count[abi];

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (signature->cases[order[middle]].value[abi] < selector)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct signature *select_variant(struct walk *walk, const struct signature *signature)
{
	uint64_t selector = eval(walk, signature->selector);
	const uint16_t *order = signature->order[walk->abi];
	unsigned count = signature->order_count[walk->abi];

	for (unsigned i = first_variant(signature, walk->abi, selector); i < count; i++) {
		const struct signature_case *each = &signature->cases[order[i]];

		if (each->value[walk->abi] != selector)
			break;
		if (!each->condition || eval(walk, each->condition))
			return each->signature;
	}
	return signature->otherwise;
}

void select_signature(struct walk *walk, const struct signature *signature)
{
	while (signature) {
		walk->call->signature = signature;
		select_arguments(walk);
		signature = signature->selector ? select_variant(walk, signature) : NULL;
	}
}
