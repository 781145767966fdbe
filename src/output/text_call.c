// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "abi/errors.h"
#include "base/buf.h"
#include "decode/call.h"
#include "decode/value.h"
#include "output/text_call.h"
#include "output/text_value.h"
#include "schema/syscall.h"

void text_call_name(struct buf *buf, const struct call *call)
{
	if (call->syscall) {
		buf_string(buf, call->syscall->name);
	} else {
		buf_string(buf, "syscall_");
		buf_hex(buf, call->number);
	}
}

static void put_arguments(struct buf *buf, const struct call *call, unsigned from, unsigned to,
	const struct text_style *style)
{
	for (unsigned i = from; i < to; i++) {
		if (i > from)
			buf_string(buf, ", ");
		if (call->args[i] && call->args[i]->label &&
			(call->args[i]->named || style->argument_names))
			buf_printf(buf, "%s=", call->args[i]->label);
		if (call->args[i])
			text_value(buf, call->args[i], style);
		else
			buf_char(buf, '?');
	}
}

static bool has_rest(const struct call *call)
{
	return call->known < call->arg_count;
}

// Whether there would have been more to show at exit, if the call had come back.
static bool owes(const struct call *call)
{
	return has_rest(call) || (call->signature && call->signature->note);
}

void text_call_begin(struct buf *buf, const struct call *call, const struct text_style *style)
{
	unsigned known = has_rest(call) ? call->known : call->arg_count;

	text_call_name(buf, call);
	buf_char(buf, '(');
	if (call->resumes)
		buf_printf(buf, "<... resuming interrupted %s ...>", call->resumes);
	put_arguments(buf, call, 0, known, style);
	if (known && has_rest(call))
		buf_string(buf, ", ");
}

void text_call_rest(struct buf *buf, const struct call *call, const struct text_style *style)
{
	bool returned = call->result != CALL_NO_RESULT && call->result != CALL_UNFINISHED;

	if (has_rest(call) && returned)
		put_arguments(buf, call, call->known, call->arg_count, style);
	else if (!returned && owes(call))
		buf_string(buf, " <unfinished ...>");
	buf_char(buf, ')');
}

static void put_error(struct buf *buf, int code)
{
	const char *name = errno_name(code);
	const char *text = strerrordesc_np(code);

	if (!name) {
		buf_printf(buf, "-1 (errno %d)", code);
		return;
	}
	buf_printf(buf, "-1 %s (", name);
	if (text)
		buf_string(buf, text);
	else
		buf_printf(buf, "Unknown error %d", code);
	buf_char(buf, ')');
}

static void put_success(struct buf *buf, const struct call *call, const struct text_style *style)
{
	const struct value *ret = call->ret;

	if (!ret)
		buf_signed(buf, call->retval);
	// An address that is a result is a number: NULL is for pointers that were passed.
	else if (ret->kind == VALUE_NUMBER && ret->radix == RADIX_ADDRESS && !ret->number)
		buf_char(buf, '0');
	else
		text_value(buf, ret, style);
	// A note made of parts that are all absent says nothing.
	if (call->note && (call->note->kind != VALUE_STRUCT || call->note->first)) {
		buf_string(buf, " (");
		text_note(buf, call->note, style);
		buf_char(buf, ')');
	}
}

static void put_restart(struct buf *buf, int code)
{
	const char *name = restart_name(code);
	const char *text = restart_text(code);

	buf_char(buf, '?');
	if (name)
		buf_printf(buf, " %s", name);
	if (text)
		buf_printf(buf, " (%s)", text);
}

void text_call_result(struct buf *buf, const struct call *call, const struct text_style *style)
{
	switch (call->result) {
	case CALL_SUCCESS:
		put_success(buf, call, style);
		break;
	case CALL_ERROR:
		put_error(buf, call->error);
		if (call->is_disturbed)
			buf_string(buf, " (by attaching to it)");
		break;
	case CALL_RESTART:
		put_restart(buf, call->error);
		break;
	case CALL_UNFINISHED:
	case CALL_NO_RESULT:
		buf_char(buf, '?');
		break;
	}
}
