// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/decoder.h"

#include <string.h>

#include "abi/abi.h"
#include "base/bits.h"
#include "decode/call.h"
#include "decode/eval.h"
#include "decode/inner.h"
#include "decode/retval.h"
#include "decode/select.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "proc/view.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

_Static_assert((int)WALK_ARGS_MAX == (int)CALL_ARGS_MAX && CALL_ARGS_MAX <= 8,
	"a bit each in call->shown");

enum {
	/** By FACT_READS_DATA and FACT_WRITES_DATA. */
	DATA_ARGUMENT = 1,
};

static void walk_init(struct walk *walk, struct call *call, const struct decode_options *options,
	struct view *view)
{
	memset(walk, 0, sizeof(*walk));
	walk->call = call;
	walk->arena = &call->arena;
	walk->options = options;
	walk->view = view;
	walk->abi = call->abi;
	walk->word = abi_get(call->abi)->word_size;
	walk->kernel_word = abi_get(call->abi)->kernel_word_size;
	walk->register_size = abi_get(call->abi)->register_size;
	walk->bytes_left = WALK_BYTES_MAX + options->string_limit;
	walk->nodes_left = WALK_NODES_MAX;
	walk->room = UINT64_MAX;
	walk->verbose = options->verbose || call->is_whole;
}

// As many registers as the kernel reads, in hex: all we know of a call without description.
static void decode_undescribed(struct call *call, unsigned word)
{
	call->arg_count = call->syscall ? call->syscall->arg_count : CALL_REGS;
	if (call->arg_count > CALL_REGS)
		call->arg_count = CALL_REGS;
	for (unsigned i = 0; i < call->arg_count; i++)
		call->args[i] = value_number(
			&call->arena, zero_extend(call->regs[i], word), RADIX_HEX, word);
	call->known = call->arg_count;
}

// The first argument is the descriptor.
static bool keeps_data(const struct walk *walk)
{
	const struct syscall_desc *desc = walk->call->syscall->desc;
	const struct decode_options *options = walk->options;
	int fd = (int)walk->args[0];

	return (desc->facts & FACT_READS_DATA && number_set_has(&options->reads, fd)) ||
	       (desc->facts & FACT_WRITES_DATA && number_set_has(&options->writes, fd));
}

static struct value *decode_argument(struct walk *walk, unsigned index)
{
	const struct argument *argument = &walk->call->signature->args[index];
	struct place place = place_register(walk->args[index]);
	struct value *value;

	walk->pending = walk->pending_failed = false;
	walk->view->was_asked = false;
	if (argument->condition && !eval(walk, argument->condition))
		return NULL;
	if (index == DATA_ARGUMENT && keeps_data(walk)) {
		walk->call->data = NULL;
		walk->data = argument->type->target;
	}
	value = walk_type_or_address(walk, argument->type, &place);
	walk->data = NULL;
	value->label = argument->name;
	value->named = argument->named;
	value->late = walk->options->late && walk->view->was_asked && value->kind != VALUE_ADDRESS;
	return value;
}

static unsigned signature_args(const struct signature *signature)
{
	return signature->arg_count < CALL_ARGS_MAX ? signature->arg_count : CALL_ARGS_MAX;
}

static void decode_at_entry(struct walk *walk)
{
	struct call *call = walk->call;
	unsigned count = signature_args(call->signature);

	for (unsigned i = 0; i < count; i++) {
		struct value *value = decode_argument(walk, i);

		call->pending |= (uint8_t)(walk->pending << i);
		call->pending_failed |= (uint8_t)(walk->pending_failed << i);
		if (value) {
			call->shown |= (uint8_t)(1 << i);
			call->args[call->arg_count++] = value;
		}
		if (!call->pending)
			call->known = call->arg_count;
	}
}

void decode_entry(struct call *call, const struct decode_options *options, struct view *view,
	enum abi_id abi, uint64_t number, const uint64_t regs[6])
{
	struct walk walk;

	call->abi = abi;
	call->number = number;
	memcpy(call->regs, regs, sizeof(call->regs));
	call->syscall = syscall_by_number(abi, number);
	call->is_whole = options->verbose || syscall_set_has(&options->whole, abi, number);
	walk_init(&walk, call, options, view);
	if (!inner_resolve(&walk) || !call->syscall || !call->syscall->desc) {
		decode_undescribed(call, walk.word);
		return;
	}
	if (options->outcome_only)
		return;
	select_signature(&walk, &call->syscall->desc->signature);
	decode_at_entry(&walk);
}

static void restore_arguments(struct walk *walk)
{
	const struct call *call = walk->call;
	unsigned shown = 0;

	for (unsigned i = 0; i < CALL_ARGS_MAX; i++) {
		if (call->shown >> i & 1)
			walk->entry[i] = call->args[shown++];
	}
}

static void decode_at_exit(struct walk *walk)
{
	struct call *call = walk->call;
	unsigned count = signature_args(call->signature);
	unsigned due = walk->failed ? call->pending_failed : call->pending;

	call->arg_count = 0;
	for (unsigned i = 0; i < count; i++) {
		struct value *value = walk->entry[i];

		if (due >> i & 1) {
			walk->before = value;
			value = decode_argument(walk, i);
		}
		if (value)
			call->args[call->arg_count++] = value;
	}
}

void decode_exit(struct call *call, const struct decode_options *options, struct view *view,
	int64_t retval, bool is_error)
{
	struct walk walk;

	walk_init(&walk, call, options, view);
	walk.at_exit = true;
	retval_decode(&walk, retval, is_error);
	if (!call->signature)
		return;
	inner_result(&walk);
	select_arguments(&walk);
	restore_arguments(&walk);
	decode_at_exit(&walk);
	retval_value(&walk);
}

void decode_no_result(struct call *call)
{
	call->result = CALL_NO_RESULT;
	call->ret = value_create(&call->arena, VALUE_NONE);
}
