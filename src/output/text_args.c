// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/text_args.h"

#include <string.h>

#include "base/buf.h"
#include "output/quote.h"
#include "unwind/unwind.h"

static void put_character(struct buf *buf, int64_t value)
{
	char c = (char)value;

	buf_signed(buf, value);
	buf_string(buf, " '");
	if (c == '\'' || c == '\\')
		buf_char(buf, '\\');
	if (c == '\'')
		buf_char(buf, c);
	else
		quote_plain(buf, &c, 1);
	buf_char(buf, '\'');
}

static void put_value(struct buf *buf, const struct unwind_arg *arg)
{
	switch (arg->kind) {
	case UNWIND_ARG_OPTIMIZED_OUT:
		buf_string(buf, "<optimized out>");
		break;
	case UNWIND_ARG_UNAVAILABLE:
		buf_string(buf, "<unavailable>");
		break;
	case UNWIND_ARG_AGGREGATE:
		buf_string(buf, "...");
		break;
	case UNWIND_ARG_SYNTHETIC_POINTER:
		buf_string(buf, "<synthetic pointer>");
		break;
	case UNWIND_ARG_SIGNED:
		buf_signed(buf, (int64_t)arg->number);
		break;
	case UNWIND_ARG_UNSIGNED:
		buf_unsigned(buf, arg->number);
		break;
	case UNWIND_ARG_BOOL:
		buf_string(buf, arg->number ? "true" : "false");
		break;
	case UNWIND_ARG_CHARACTER:
		put_character(buf, (int64_t)arg->number);
		break;
	case UNWIND_ARG_REAL:
		// As many digits as it takes to tell all values apart.
		buf_printf(buf, "%.*g", arg->size == 4 ? 9 : 17, arg->real);
		break;
	case UNWIND_ARG_POINTER:
		buf_hex(buf, arg->number);
		if (arg->text) {
			buf_string(buf, " <");
			quote_plain(buf, arg->text, strlen(arg->text));
			buf_char(buf, '>');
		}
		break;
	case UNWIND_ARG_STRING:
		buf_hex(buf, arg->number);
		buf_char(buf, ' ');
		quote_string(buf, arg->text, arg->length, TEXT_STRINGS_OCTAL);
		if (arg->is_cut)
			buf_string(buf, "...");
		break;
	case UNWIND_ARG_ENUM:
		quote_plain(buf, arg->text, strlen(arg->text));
		break;
	}
}

void text_args(struct buf *buf, const struct unwind_arg_list *args)
{
	buf_string(buf, " (");
	for (size_t i = 0; i < args->count; i++) {
		const struct unwind_arg *arg = &args->args[i];

		if (i)
			buf_string(buf, ", ");
		if (arg->name) {
			quote_plain(buf, arg->name, strlen(arg->name));
			buf_char(buf, '=');
		}
		if (arg->is_reference) {
			buf_char(buf, '@');
			buf_hex(buf, arg->address);
			buf_string(buf, ": ");
		}
		put_value(buf, arg);
	}
	buf_char(buf, ')');
}
