// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/explain_symbols.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "event/event.h"
#include "output/report.h"
#include "output/sink.h"
#include "unwind/report.h"

struct explain_symbols {
	struct output output;
	const struct explain_options *options;
	/** NULL: there are no stacks. */
	struct unwind_context *unwind;
	struct sink *sink;
};

static struct output *explain_create(const struct output_options *options, struct sink *sink)
{
	struct explain_symbols *explain = xcalloc(1, sizeof(*explain));

	explain->options = options->own;
	explain->unwind = options->unwind;
	explain->sink = sink;
	return &explain->output;
}

void explain_symbols_report(
	struct buf *buf, struct unwind_context *unwind, const struct explain_options *options)
{
	struct diagnosis_list list = {0};

	diagnose(unwind, options->module, &list);
	if (options->as_json)
		report_json(buf, &list);
	else
		report_text(buf, &list);
	diagnosis_list_deinit(&list);
}

static void write_report(const struct explain_symbols *explain)
{
	struct buf text = {0};

	if (!explain->unwind)
		return;
	explain_symbols_report(&text, explain->unwind, explain->options);
	if (explain->options->as_json) {
		sink_write(explain->sink, text.data, text.length);
		sink_flush(explain->sink);
	} else {
		// A file for the trace is for programs that read traces.
		sink_flush(explain->sink);
		fwrite(text.data, 1, text.length, stderr);
	}
	buf_deinit(&text);
}

static void explain_event(struct output *output, const struct event *event)
{
	if (event->kind == EVENT_ASKED)
		write_report((struct explain_symbols *)output);
}

static void explain_finish(struct output *output)
{
	struct explain_symbols *explain = (struct explain_symbols *)output;

	if (explain->options->enabled)
		write_report(explain);
	free(explain);
}

const struct output_format explain_symbols_format = {
	.name = "explain-symbols",
	.create = explain_create,
	.event = explain_event,
	.finish = explain_finish,
};
