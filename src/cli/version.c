// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/version.h"

#include <stdio.h>

#include "config.h"

void version_print(void)
{
	printf("tracer %s\n"
	       "Copyright the tracer authors. MIT licence; there is no warranty.\n"
	       "Optional parts: %s\n",
		TRACER_VERSION, TRACER_FEATURES);
}
