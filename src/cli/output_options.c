// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/output_options.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/expression.h"
#include "cli/options.h"
#include "output/explain_symbols.h"
#include "output/messages.h"
#include "output/separate.h"
#include "summary/summary.h"
#include "summary/thread_times.h"

struct error *output_options_format(struct options *options, const char *argument)
{
	const struct output_format *const *formats = output_formats();

	options->format = output_format_by_name(argument);
	if (options->format)
		return NULL;
	return error_create("unknown format '%s' (known: %s, %s, %s)", argument, formats[0]->name,
		formats[1]->name, formats[2]->name);
}

struct error *output_options_verbose(struct options *options, const char *argument)
{
	(void)argument;
	options->session.decode.verbose = true;
	options->session.output.style.verbose = true;
	return NULL;
}

struct error *output_options_quiet(struct options *options, const char *argument)
{
	static const unsigned levels[] = {
		SESSION_QUIET_SYMBOLS | SESSION_QUIET_ATTACH | SESSION_QUIET_PERSONALITY,
		SESSION_QUIET_SYMBOLS | SESSION_QUIET_ATTACH | SESSION_QUIET_PERSONALITY |
			SESSION_QUIET_EXIT,
		SESSION_QUIET_ALL,
	};
	size_t level = options->quiet_count++;

	if (argument)
		return expression_quiet(options, argument);
	options->session.quiet |= levels[level < ARRAY_SIZE(levels) ? level : 2];
	return NULL;
}

static void request(struct options *options, const struct output_format *format, const void *own)
{
	*array_add(&options->requests) = (struct output_request){.format = format, .own = own};
}

struct error *output_options_finish(struct options *options)
{
	struct session_options *session = &options->session;

	if (options->output_separately && options->summary_only)
		return error_create("(-c/--summary-only) and -ff/--output-separately are mutually "
				    "exclusive");
	if (options->output_separately && options->output_path &&
		(options->output_path[0] == '|' || options->output_path[0] == '!'))
		return error_create("piping the output and -ff/--output-separately are mutually "
				    "exclusive");
	if (options->summary_only)
		options->format = &messages_format;
	else if (session->summary.enabled && options->format != output_format_by_name("text"))
		return error_create("-C prints a table, which is only for text (use -c)");
	if (session->sched && options->format->is_structured)
		return error_create("--sched prints a table, which is not JSON (use -c)");
	session->is_structured = session->explain.as_json = options->format->is_structured;
	// In the order in which they write at the end.
	request(options, &explain_symbols_format, &session->explain);
	if (options->output_separately && options->output_path && !options->summary_only) {
		options->separate = (struct separate_options){
			options->format, options->output_path, options->output_append};
		request(options, &separate_format, &options->separate);
	} else {
		request(options, options->format, NULL);
	}
	if (session->summary.enabled)
		request(options, &summary_format, &session->summary);
	if (session->sched)
		request(options, &thread_times_format, NULL);
	session->requests = options->requests.data;
	session->request_count = options->requests.count;
	return NULL;
}
