// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/inject_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/options.h"
#include "filter/inject.h"

struct error *inject_options_add(struct options *options, const char *argument)
{
	struct error *error = inject_add(&options->inject, argument);
	const struct inject_rule *rule;
	int code;

	if (error)
		return error;
	rule = &options->inject.list.data[options->inject.list.count - 1];
	code = inject_looks_like_error(rule);
	if (code)
		fprintf(stderr,
			"%s: Inadvertent injection of error %d is possible for retval=%" PRIu64
			"\n",
			program_invocation_name, code, rule->value);
	return NULL;
}

struct error *inject_options_add_fault(struct options *options, const char *argument)
{
	return inject_add_fault(&options->inject, argument);
}

struct error *inject_options_finish(struct options *options)
{
	if (!options->inject.list.count)
		return NULL;
	if (options->session.observe.enabled)
		return error_create(
			"--inject needs tasks that stop at their calls, which --observe "
			"never makes them do");
	options->session.inject = &options->inject;
	return NULL;
}
