// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/fault_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/parse.h"
#include "cli/options.h"

struct error *fault_options_kinds(struct options *options, const char *argument)
{
	struct fault_options *faults = &options->session.faults;
	bool all = argument && strcmp(argument, "all") == 0;
	bool minor = argument && strcmp(argument, "min") == 0;

	if (argument && !all && !minor && strcmp(argument, "maj") != 0)
		return error_create("unknown page faults '%s' (known: min, maj, all)", argument);
	faults->minor |= all || minor;
	faults->major |= !minor;
	return NULL;
}

struct error *fault_options_ring_size(struct options *options, const char *argument)
{
	uint64_t size;

	if (!parse_size(argument, UINT64_C(1) << 30, &size) || size < 4096)
		return error_create("invalid ring size '%s' (4k to 1G)", argument);
	options->session.faults.ring_most = (size_t)size;
	return NULL;
}
