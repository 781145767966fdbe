// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/retval.h"

#include "abi/errors.h"
#include "base/arena.h"
#include "base/bits.h"
#include "decode/aggregate.h"
#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/syscall.h"
#include "schema/type.h"

// The codes that tell the kernel to restart the call; only tracers see them.
static bool is_restart(int64_t code)
{
	return code == ERESTARTSYS || code == ERESTARTNOINTR || code == ERESTARTNOHAND ||
	       code == ERESTART_RESTARTBLOCK;
}

// Whether the number the call returned, as it is, says all that the type would.
static bool is_plain(const struct walk *walk, const struct type *type)
{
	unsigned size = type->size[walk->abi];

	return type->kind == TYPE_NUMBER && type->role == ROLE_NONE &&
	       type->radix == RADIX_SIGNED && size && sign_extend(walk->ret, size) == walk->ret;
}

static bool says_something(const struct value *note)
{
	if (note->kind == VALUE_FLAGS)
		return note->first != NULL;
	return note->kind != VALUE_NAMED || note->name;
}

// What the call left in memory, called @label.
static struct value *part_value(struct walk *walk, const char *label, struct value *value)
{
	struct value *note;
	struct value *last = NULL;

	if (value->kind == VALUE_NUMBER)
		return value_named(walk->arena, value->number,
			arena_printf(walk->arena, "%s=%lld", label, (long long)value->number));
	note = value_create(walk->arena, VALUE_STRUCT);
	aggregate_add(note, &last, label, value);
	return note;
}

static void decode_note(struct walk *walk, const struct signature *signature)
{
	struct place place = place_register(walk->ret);
	struct value *note = walk_type(walk, signature->note, &place);

	if (!note || !says_something(note))
		return;
	if (signature->note->kind == TYPE_FORMAT && signature->note->format == FORMAT_AT)
		note = part_value(walk, signature->note_label, note);
	else if (signature->note_label)
		note->label = signature->note_label;
	walk->call->note = note;
}

void retval_decode(struct walk *walk, int64_t retval, bool is_error)
{
	struct call *call = walk->call;

	call->retval = retval;
	call->result = CALL_SUCCESS;
	if (is_error) {
		call->error = (int)-retval;
		call->result = is_restart(-retval) ? CALL_RESTART : CALL_ERROR;
	}
	walk->failed = call->result != CALL_SUCCESS;
	walk->ret = (uint64_t)retval;
}

void retval_value(struct walk *walk)
{
	const struct signature *signature = walk->call->signature;
	struct place place = place_register(walk->ret);

	if (!signature || walk->failed)
		return;
	if (signature->ret && !is_plain(walk, signature->ret))
		walk->call->ret = walk_type(walk, signature->ret, &place);
	if (signature->note)
		decode_note(walk, signature);
}
