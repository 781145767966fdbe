// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/filter_options.h"

#include <stddef.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/options.h"

struct error *filter_options_calls(struct options *options, const char *argument)
{
	return query_set_calls(&options->query, argument);
}

struct error *filter_options_signals(struct options *options, const char *argument)
{
	return query_set_signals(&options->query, argument);
}

struct error *filter_options_statuses(struct options *options, const char *argument)
{
	return query_set_statuses(&options->query, argument);
}

struct error *filter_options_path(struct options *options, const char *argument)
{
	if (!*argument)
		return error_create("-P needs a path that is not empty");
	*array_add(&options->trace_paths) = argument;
	return NULL;
}

struct error *filter_options_no_calls(struct options *options, const char *argument)
{
	(void)argument;
	options->query.calls = (struct syscall_set){0};
	return NULL;
}

struct error *filter_options_fds(struct options *options, const char *argument)
{
	options->query.has_fds = true;
	return number_set_parse(&options->query.fds, argument, "descriptor");
}
