// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/summary_options.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "cli/options.h"

struct error *summary_options_only(struct options *options, const char *argument)
{
	(void)argument;
	options->summary_only = true;
	options->session.summary.enabled = true;
	return NULL;
}

struct error *summary_options_sort(struct options *options, const char *argument)
{
	return summary_sort_parse(argument, &options->session.summary.sort);
}

struct error *summary_options_columns(struct options *options, const char *argument)
{
	return summary_columns_parse(argument, &options->session.summary.columns);
}

struct error *summary_options_by(struct options *options, const char *argument)
{
	if (strcmp(argument, "thread") != 0)
		return error_create("cannot make a summary by '%s' (known: thread)", argument);
	options->session.summary.by_thread = true;
	// Per thread, what counts is where its time went.
	options->session.summary.wall = true;
	return NULL;
}
