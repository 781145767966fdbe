// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *or_die(void *ptr)
{
	if (!ptr) {
		fputs("tracer: out of memory\n", stderr);
		exit(1);
	}
	return ptr;
}

void *xmalloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1));
}

void *xreallocarray(void *ptr, size_t count, size_t size)
{
	return or_die(reallocarray(ptr, count ? count : 1, size ? size : 1));
}

void *xrealloc(void *ptr, size_t size)
{
	return xreallocarray(ptr, 1, size);
}

char *xstrdup(const char *text)
{
	return or_die(strdup(text));
}

char *xstrndup(const char *text, size_t length)
{
	return or_die(strndup(text, length));
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return or_die(text);
}
