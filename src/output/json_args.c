// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/json_args.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "output/json_write.h"
#include "unwind/unwind.h"

static void put_unsigned(struct buf *buf, const char *key, uint64_t number)
{
	json_key(buf, key);
	json_unsigned(buf, number);
}

static void put_text(struct buf *buf, const char *key, const char *text)
{
	if (text)
		json_bytes_member(buf, key, text, strlen(text));
}

static void put_missing(struct buf *buf, const char *why)
{
	json_key(buf, "missing");
	json_text(buf, why);
}

// JSON has no infinity and no NaN.
static void put_real(struct buf *buf, const struct unwind_arg *arg)
{
	json_key(buf, "value");
	if (isfinite(arg->real))
		buf_printf(buf, "%.*g,", arg->size == 4 ? 9 : 17, arg->real);
	else
		json_text(buf, isnan(arg->real) ? "nan" : arg->real > 0 ? "inf" : "-inf");
}

static void put_string(struct buf *buf, const struct unwind_arg *arg)
{
	put_unsigned(buf, "value", arg->number);
	json_bytes_member(buf, "string", arg->text, arg->length);
	if (arg->is_cut) {
		json_key(buf, "cut");
		json_bool(buf, true);
	}
}

static void put_value(struct buf *buf, const struct unwind_arg *arg)
{
	switch (arg->kind) {
	case UNWIND_ARG_OPTIMIZED_OUT:
		put_missing(buf, "optimized_out");
		break;
	case UNWIND_ARG_UNAVAILABLE:
		put_missing(buf, "unavailable");
		break;
	case UNWIND_ARG_AGGREGATE:
		put_missing(buf, "aggregate");
		break;
	case UNWIND_ARG_SYNTHETIC_POINTER:
		put_missing(buf, "synthetic_pointer");
		break;
	case UNWIND_ARG_SIGNED:
	case UNWIND_ARG_CHARACTER:
		json_key(buf, "value");
		json_signed(buf, (int64_t)arg->number);
		break;
	case UNWIND_ARG_UNSIGNED:
		put_unsigned(buf, "value", arg->number);
		break;
	case UNWIND_ARG_BOOL:
		json_key(buf, "value");
		json_bool(buf, arg->number);
		break;
	case UNWIND_ARG_REAL:
		put_real(buf, arg);
		break;
	case UNWIND_ARG_POINTER:
		put_unsigned(buf, "value", arg->number);
		put_text(buf, "function", arg->text);
		break;
	case UNWIND_ARG_STRING:
		put_string(buf, arg);
		break;
	case UNWIND_ARG_ENUM:
		json_key(buf, "value");
		json_signed(buf, (int64_t)arg->number);
		put_text(buf, "names", arg->text);
		break;
	}
}

void json_args_member(struct buf *buf, const struct unwind_arg_list *args)
{
	json_key(buf, "args");
	json_open(buf, '[');
	for (size_t i = 0; i < args->count; i++) {
		const struct unwind_arg *arg = &args->args[i];

		json_open(buf, '{');
		put_text(buf, "name", arg->name);
		if (arg->is_reference)
			put_unsigned(buf, "reference", arg->address);
		put_value(buf, arg);
		json_close(buf, '}');
	}
	json_close(buf, ']');
}
