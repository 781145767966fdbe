// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

enum {
	NAME_MAX = 16 * 1024,
	/** Of names of D programs, which are read by recursion. */
	D_NAME_MAX = 4 * 1024,
	/** Of one with its references written out. */
	D_WRITTEN_MAX = 16 * 1024,
	/** A few hundred bytes can stand for gigabytes by referring to themselves. */
	RESULT_MAX = 64 * 1024,
};

struct output {
	struct buf text;
	jmp_buf too_long;
};

static void append(const char *text, size_t length, void *context)
{
	struct output *output = context;

	// The callback interface keeps all its state on the stack and has no other way out.
	if (output->text.length + length > RESULT_MAX)
		longjmp(output->too_long, 1);
	buf_bytes(&output->text, text, length);
}

/** Apart, because what longjmp() leaves of a function's own variables is undefined. */
static bool fill(const char *name, struct output *output)
{
	if (setjmp(output->too_long))
		return false;
	// Rust's first scheme looks like C++ as well, so it is tried first.
	if (rust_demangle_callback(name, DMGL_PARAMS, append, output))
		return true;
	buf_reset(&output->text);
	return cplus_demangle_v3_callback(name, DMGL_PARAMS, append, output);
}

/**
 * The position that the reference at @at of a D name leads back to: Q and a number to base 26,
 * whose last digit is a small letter (D's specification, "Name Mangling"); @at if it is none.
 */
static size_t d_reference(const char *name, size_t at)
{
	size_t distance = 0, digit = at + 1;

	for (; name[digit] >= 'A' && name[digit] <= 'Z' && distance <= at; digit++)
		distance = distance * 26 + (size_t)(name[digit] - 'A');
	if (name[digit] < 'a' || name[digit] > 'z' || distance > at)
		return at;
	distance = distance * 26 + (size_t)(name[digit] - 'a');
	return distance && distance <= at ? at - distance : at;
}

/**
 * Whether all that a D name refers to, written out, is not too much: dlang_demangle() has no
 * bound, and references in what is referred to double it each time.
 */
static bool is_modest_d_name(const char *name)
{
	// Of the first so many bytes, written out.
	size_t written[D_NAME_MAX + 1] = {0};

	for (size_t at = 0; name[at]; at++) {
		size_t back = name[at] == 'Q' ? d_reference(name, at) : at;

		if (at == D_NAME_MAX)
			return false;
		written[at + 1] = written[at] + 1 + (written[at] - written[back]);
		if (written[at + 1] > D_WRITTEN_MAX)
			return false;
	}
	return true;
}

static char *demangle_d(const char *name)
{
	char *found, *result = NULL;

	if (!strcmp(name, "_Dmain"))
		return xstrdup("D main");
	if (name[2] < '0' || (name[2] > '9' && name[2] != 'Q') || !is_modest_d_name(name))
		return NULL;
	found = dlang_demangle(name, DMGL_PARAMS | DMGL_DLANG);
	if (found)
		result = xstrdup(found);
	free(found);
	return result;
}

char *demangle(const char *name)
{
	struct output output = {0};
	char *result = NULL;

	if (!strncmp(name, "_D", 2))
		return demangle_d(name);
	if ((strncmp(name, "_Z", 2) && strncmp(name, "_R", 2)) || strlen(name) > NAME_MAX)
		return NULL;
	if (fill(name, &output))
		result = xstrdup(buf_text(&output.text));
	buf_deinit(&output.text);
	return result;
}
