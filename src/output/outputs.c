// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/outputs.h"

void outputs_add(struct outputs *outputs, const struct output_format *format,
	const struct output_options *options, struct sink *sink)
{
	struct output *output = format->create(options, sink);

	output->format = format;
	*array_add(&outputs->list) = output;
}

void outputs_call_begin(struct outputs *outputs, const struct event *event)
{
	array_for_each (output, &outputs->list) {
		if ((*output)->format->call_begin)
			(*output)->format->call_begin(*output, event);
	}
}

void outputs_call_runs(struct outputs *outputs, const struct event *event)
{
	array_for_each (output, &outputs->list) {
		if ((*output)->format->call_runs)
			(*output)->format->call_runs(*output, event);
	}
}

void outputs_call_end(struct outputs *outputs, const struct event *event)
{
	array_for_each (output, &outputs->list) {
		if ((*output)->format->call_end)
			(*output)->format->call_end(*output, event);
	}
}

void outputs_event(struct outputs *outputs, const struct event *event)
{
	array_for_each (output, &outputs->list) {
		if ((*output)->format->event)
			(*output)->format->event(*output, event);
	}
}

void outputs_tasks(struct outputs *outputs, size_t count)
{
	array_for_each (output, &outputs->list) {
		if ((*output)->format->tasks)
			(*output)->format->tasks(*output, count);
	}
}

void outputs_flush_pending(struct outputs *outputs, bool wait)
{
	array_for_each (output, &outputs->list) {
		if ((*output)->format->flush_pending)
			(*output)->format->flush_pending(*output, wait);
	}
}

void outputs_finish(struct outputs *outputs)
{
	array_for_each (output, &outputs->list)
		(*output)->format->finish(*output);
	array_deinit(&outputs->list);
}
