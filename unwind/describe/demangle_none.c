// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stddef.h>

#include "unwind/describe/demangle.h"

/** Instead of demangle.c where libiberty is missing. */
char *demangle(const char *name)
{
	(void)name;
	return NULL;
}
