// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct error *make(int code, char *message)
{
	struct error *error = xmalloc(sizeof(*error));

	*error = (struct error){.code = code, .message = message};
	return error;
}

static char *format_message(const char *format, va_list args)
{
	char *text = NULL;

	return vasprintf(&text, format, args) < 0 ? xstrdup(format) : text;
}

struct error *error_create(const char *format, ...)
{
	va_list args;
	struct error *error;

	va_start(args, format);
	error = make(0, format_message(format, args));
	va_end(args);
	return error;
}

struct error *error_errno(int code, const char *format, ...)
{
	va_list args;
	char *text;
	struct error *error;

	va_start(args, format);
	text = format_message(format, args);
	va_end(args);
	error = make(code, xasprintf("%s: %s", text, strerror(code)));
	free(text);
	return error;
}

struct error *error_wrap(struct error *error, const char *format, ...)
{
	va_list args;
	char *context, *message;

	if (!error)
		return NULL;
	va_start(args, format);
	context = format_message(format, args);
	va_end(args);
	message = xasprintf("%s: %s", context, error->message);
	free(context);
	free(error->message);
	error->message = message;
	return error;
}

void error_destroy(struct error *error)
{
	if (!error)
		return;
	free(error->message);
	free(error);
}
