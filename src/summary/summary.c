// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "summary/summary.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "event/event.h"
#include "event/fault.h"
#include "event/frame_describer.h"
#include "output/sink.h"
#include "summary/count.h"
#include "summary/table.h"
#include "unwind/unwind.h"

struct summary_output {
	struct output output;
	struct summary summary;
	const struct frame_describer *describer;
	struct sink *sink;
};

static struct summary_output *summary_of(struct output *output)
{
	return (struct summary_output *)output;
}

static struct output *summary_create(const struct output_options *options, struct sink *sink)
{
	struct summary_output *summary = xcalloc(1, sizeof(*summary));
	const struct summary_options *own = options->own;

	summary_init(&summary->summary, own);
	summary->output.needs = own->wall ? 0 : OUTPUT_NEEDS_CPU_TIME;
	summary->describer = options->describer;
	summary->sink = sink;
	return &summary->output;
}

static void summary_call_ends(struct output *output, const struct event *event)
{
	summary_call(&summary_of(output)->summary, event);
}

static const char *code_name(
	const struct frame_describer *describer, const struct event_fault *fault)
{
	const struct unwind_description *what;

	if (fault->in_kernel)
		return fault->kernel_code.function ? fault->kernel_code.function : "[kernel]";
	what = frame_describe(describer, &fault->code);
	if (what && what->count && what->locations[what->count - 1].function)
		return what->locations[what->count - 1].function;
	if (fault->code.path)
		return fault->code.path;
	return "[unknown]";
}

static void summary_event(struct output *output, const struct event *event)
{
	struct summary_output *summary = summary_of(output);
	const struct event_fault *fault = event->fault;
	const char *file = "[nothing]";

	if (event->kind != EVENT_FAULT)
		return;
	if (fault->is_mapped)
		file = fault->path ? fault->path : fault->map_name[0] ? fault->map_name : "[anon]";
	summary_fault(
		&summary->summary, fault->is_major, code_name(summary->describer, fault), file);
}

static void summary_finish(struct output *output)
{
	struct summary_output *summary = summary_of(output);
	struct buf text = {0};

	summary_print(&summary->summary, &text);
	sink_write(summary->sink, text.data, text.length);
	buf_deinit(&text);
	summary_deinit(&summary->summary);
	free(summary);
}

const struct output_format summary_format = {
	.name = "summary",
	.create = summary_create,
	.call_end = summary_call_ends,
	.event = summary_event,
	.finish = summary_finish,
};
