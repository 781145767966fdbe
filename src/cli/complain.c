// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/complain.h"

#include <stdio.h>

#include "base/error.h"

int complain(struct error *error)
{
	fprintf(stderr, "tracer: %s\n", error->message);
	error_destroy(error);
	return 1;
}

int complain_usage(struct error *error)
{
	int code = complain(error);

	fprintf(stderr, "Try 'tracer -h' for more information.\n");
	return code;
}
