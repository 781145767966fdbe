// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/stack_options.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "cli/options.h"

static bool parse_time(const char *text, uint64_t *ret)
{
	return parse_duration(text, ret) && *ret;
}

struct error *stack_options_after(struct options *options, const char *argument)
{
	if (parse_time(argument, &options->session.stacks.after))
		return NULL;
	return error_create("invalid duration '%s' (like 500ms or 2s)", argument);
}

struct error *stack_options_pid(struct options *options, const char *argument)
{
	(void)argument;
	options->session.output.stack_pid = true;
	return NULL;
}

struct error *stack_options_if(struct options *options, const char *argument)
{
	static const char slow[] = "slow:";
	struct session_stacks *stacks = &options->session.stacks;
	const char *item;
	size_t length;

	while (parse_list(&argument, ',', &item, &length)) {
		cleanup_free char *text = xstrndup(item, length);

		if (strcmp(text, "error") == 0)
			stacks->failed = true;
		else if (strncmp(text, slow, strlen(slow)) != 0 ||
			 !parse_time(text + strlen(slow), &stacks->slow))
			return error_create("unknown condition '%s' for stacks (known: error, "
					    "slow:DURATION, like slow:10ms)",
				text);
	}
	return NULL;
}

void stack_options_finish(struct options *options)
{
	struct session_stacks *stacks = &options->session.stacks;
	enum output_stack *style = &options->session.output.stack;
	bool is_choosy = stacks->failed || stacks->slow;

	stacks->every = *style != OUTPUT_STACK_NONE && !is_choosy;
	if (*style == OUTPUT_STACK_NONE && (is_choosy || stacks->after))
		*style = OUTPUT_STACK_SOURCE;
}
