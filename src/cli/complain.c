// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/complain.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "session/messages.h"

int complain(struct error *error)
{
	// With what comes from outside escaped.
	message_say("%s", error->message);
	error_destroy(error);
	return 1;
}

int complain_usage(struct error *error)
{
	bool says_all = error->code == EINVAL;
	int code = complain(error);

	if (!says_all)
		fprintf(stderr, "Try '%s -h' for more information.\n", program_invocation_name);
	return code;
}
