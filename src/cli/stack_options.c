// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/stack_options.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bits.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "cli/options.h"

static bool parse_time(const char *text, uint64_t *ret)
{
	return parse_duration(text, ret) && *ret;
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

struct error *stack_options_trace(struct options *options, const char *argument)
{
	if (!argument || strcmp(argument, "source") == 0) {
		options->session.output.stack = OUTPUT_STACK_SOURCE;
	} else if (strcmp(argument, "symbol") == 0) {
		options->session.output.stack = OUTPUT_STACK_SYMBOL;
		options->session.unwind.no_lines = true;
	} else {
		return error_create("unknown stack style '%s' (known: source, symbol)", argument);
	}
	return NULL;
}

// dwarf[,SIZE] | fp | libunwind | lbr
struct error *stack_options_call_graph(struct options *options, const char *argument)
{
	enum unwind_engine *engine = &options->session.unwind.engine;
	struct fault_options *faults = &options->session.faults;
	const char *size_text = argument ? strchr(argument, ',') : NULL;
	size_t length = argument ? strcspn(argument, ",") : 0;
	uint64_t size = 0;

	if (length == 3 && strncmp(argument, "lbr", 3) == 0)
		return error_create(
			"--call-graph=lbr: branch records belong to events of the "
			"processor, and calls and page faults are none (use dwarf or fp)");
	if (length == 2 && strncmp(argument, "fp", 2) == 0 && !size_text) {
		faults->stack = FAULT_STACK_FRAME_POINTER;
		*engine = UNWIND_ENGINE_FRAME_POINTER;
	} else if (argument && strcmp(argument, "libunwind") == 0) {
		faults->stack = FAULT_STACK_DWARF;
		*engine = UNWIND_ENGINE_LIBUNWIND;
		if (!unwind_engine_is_built(*engine))
			return error_create("--call-graph=libunwind: this tracer was built without "
					    "libunwind");
	} else if (!argument || (length == 5 && strncmp(argument, "dwarf", 5) == 0)) {
		faults->stack = FAULT_STACK_DWARF;
		*engine = UNWIND_ENGINE_DWARF;
	} else {
		return error_create(
			"unknown call graph '%s' (known: dwarf[,SIZE], fp, libunwind)", argument);
	}
	// The kernel's limits: a record has less than 64 KiB.
	if (size_text && (!parse_size(size_text + 1, 63 * 1024, &size) || size < 64))
		return error_create("invalid stack size '%s' (64 to 63k bytes)", size_text + 1);
	faults->stack_size = (unsigned)align_up(size, 8);
	if (options->session.output.stack == OUTPUT_STACK_NONE)
		options->session.output.stack = OUTPUT_STACK_SOURCE;
	return NULL;
}

struct error *stack_options_args(struct options *options, const char *argument)
{
	(void)argument;
	options->session.unwind.args = true;
	if (options->session.output.stack == OUTPUT_STACK_NONE)
		options->session.output.stack = OUTPUT_STACK_SOURCE;
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
