// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

enum {
	NAME_MAX = 16 * 1024,
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

char *demangle(const char *name)
{
	struct output output = {0};
	char *result = NULL;

	if ((strncmp(name, "_Z", 2) && strncmp(name, "_R", 2)) || strlen(name) > NAME_MAX)
		return NULL;
	if (fill(name, &output))
		result = xstrdup(buf_text(&output.text));
	buf_deinit(&output.text);
	return result;
}
