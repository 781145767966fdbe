// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/bits.h"
#include "base/buf.h"
#include "decode/call.h"
#include "decode/value.h"
#include "output/text_call.h"
#include "output/text_value.h"
#include "schema/syscall.h"
#include "schema/syscall_set.h"

enum {
	/** Bytes in a line of a dump. */
	DUMP_WIDTH = 16,
};

void text_call_name(struct buf *buf, const struct call *call)
{
	if (call->syscall) {
		buf_string(buf, call->syscall->name);
	} else {
		buf_string(buf, "syscall_");
		buf_hex(buf, call->number);
	}
}

static bool is_raw(const struct call *call, const struct text_style *style)
{
	return style->raw && syscall_set_has(style->raw, call->abi, call->number);
}

// What goes for this call.
static struct text_style style_of(const struct call *call, const struct text_style *style)
{
	struct text_style own = *style;

	own.verbose |= call->is_whole;
	own.hides_targets =
		style->opaque && syscall_set_has(style->opaque, call->abi, call->number);
	return own;
}

static void put_raw_number(struct buf *buf, uint64_t number)
{
	if (number)
		buf_hex(buf, number);
	else
		buf_char(buf, '0');
}

static void put_registers(struct buf *buf, const struct call *call)
{
	unsigned count = call->syscall ? call->syscall->arg_count : CALL_REGS;
	unsigned word = abi_get(call->abi)->register_size;

	for (unsigned i = 0; i < count && i < CALL_REGS; i++) {
		if (i)
			buf_string(buf, ", ");
		put_raw_number(buf, zero_extend(call->regs[i], word));
	}
}

static void put_arguments(struct buf *buf, const struct call *call, unsigned from, unsigned to,
	const struct text_style *style)
{
	const struct text_style own = style_of(call, style);

	for (unsigned i = from; i < to; i++) {
		if (i > from)
			buf_string(buf, ", ");
		if (call->args[i] && call->args[i]->label &&
			(call->args[i]->named || style->argument_names))
			buf_printf(buf, "%s=", call->args[i]->label);
		if (call->args[i])
			text_value(buf, call->args[i], &own);
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
	if (is_raw(call, style)) {
		put_registers(buf, call);
		return;
	}
	put_arguments(buf, call, 0, known, style);
	if (known && has_rest(call))
		buf_string(buf, ", ");
}

void text_call_rest(struct buf *buf, const struct call *call, const struct text_style *style)
{
	bool returned = call->result != CALL_NO_RESULT && call->result != CALL_UNFINISHED;

	if (!returned && owes(call))
		buf_string(buf, " <unfinished ...>");
	else if (has_rest(call) && returned && !is_raw(call, style))
		put_arguments(buf, call, call->known, call->arg_count, style);
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
	const struct text_style own = style_of(call, style);
	const struct value *ret = call->ret;

	if (is_raw(call, style)) {
		put_raw_number(buf, (uint64_t)call->retval);
		return;
	}
	// A value that was asked for is the number that was asked for, also where it is no user.
	if (call->tampered & CALL_TAMPERED_RESULT &&
		(!ret || ret->role == ROLE_UID || ret->role == ROLE_GID))
		buf_unsigned(
			buf, zero_extend((uint64_t)call->retval, abi_get(call->abi)->word_size));
	else if (!ret)
		buf_signed(buf, call->retval);
	// An address that is a result is a number: NULL is for pointers that were passed.
	else if (ret->kind == VALUE_NUMBER && ret->radix == RADIX_ADDRESS && !ret->number)
		buf_char(buf, '0');
	else
		text_value(buf, ret, &own);
	// A note made of parts that are all absent says nothing.
	if (call->note && (call->note->kind != VALUE_STRUCT || call->note->first)) {
		buf_string(buf, " (");
		text_note(buf, call->note, &own);
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

static void put_tampered(struct buf *buf, unsigned tampered)
{
	if (tampered & CALL_TAMPERED_ARGUMENTS)
		buf_string(buf, tampered & CALL_TAMPERED_RESULT ? " (INJECTED: args, retval)"
								: " (INJECTED: args)");
	else if (tampered & CALL_TAMPERED_RESULT)
		buf_string(buf, " (INJECTED)");
	if (tampered & CALL_DELAYED)
		buf_string(buf, " (DELAYED)");
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
	put_tampered(buf, call->tampered);
}

// As many digits as the last line needs, at least five.
static int offset_digits(size_t length)
{
	int digits = 5;

	for (size_t last = length ? (length - 1) / DUMP_WIDTH * DUMP_WIDTH : 0; last >> 4 * digits;)
		digits++;
	return digits;
}

static void put_dump_line(
	struct buf *buf, const uint8_t *bytes, size_t length, size_t offset, int digits)
{
	buf_printf(buf, " | %0*zx ", digits, offset);
	for (size_t i = 0; i < DUMP_WIDTH; i++) {
		if (i % (DUMP_WIDTH / 2) == 0)
			buf_char(buf, ' ');
		if (i < length)
			buf_printf(buf, "%02x ", bytes[i]);
		else
			buf_string(buf, "   ");
	}
	buf_char(buf, ' ');
	for (size_t i = 0; i < DUMP_WIDTH; i++) {
		bool is_text = i < length && bytes[i] >= ' ' && bytes[i] < 0x7f;

		buf_char(buf, is_text ? (char)bytes[i] : i < length ? '.' : ' ');
	}
	buf_string(buf, " |\n");
}

void text_call_data(struct buf *buf, const struct call *call)
{
	for (const struct call_data *data = call->data; data; data = data->next) {
		if (data->list >= 0 && data->buffer == 0)
			buf_printf(buf, " = %u buffers in vector %d\n", data->buffer_count,
				data->list);
		if (data->buffer >= 0)
			buf_printf(buf, " * %zu bytes in buffer %d\n", data->length, data->buffer);
		for (size_t offset = 0; offset < data->length; offset += DUMP_WIDTH) {
			size_t rest = data->length - offset;

			put_dump_line(buf, data->bytes + offset,
				rest < DUMP_WIDTH ? rest : DUMP_WIDTH, offset,
				offset_digits(data->length));
		}
	}
}
