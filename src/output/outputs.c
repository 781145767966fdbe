// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/outputs.h"

void outputs_add(struct outputs *outputs, const struct output_request *request,
	const struct output_options *options, struct sink *sink)
{
	struct output_options completed = *options;
	struct output *output;

	completed.own = request->own;
	output = request->format->create(&completed, sink);
	output->format = request->format;
	outputs->needs |= output->needs;
	*array_add(&outputs->list) = output;
}

bool outputs_need(const struct outputs *outputs, enum output_need need)
{
	return outputs->needs & need;
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
	outputs->needs = 0;
}
