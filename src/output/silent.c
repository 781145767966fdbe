// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/silent.h"

#include "event/event.h"
#include "output/text.h"

static struct output *silent_create(const struct output_options *options, struct sink *sink)
{
	return text_format.create(options, sink);
}

static void silent_event(struct output *output, const struct event *event)
{
	switch (event->kind) {
	case EVENT_ATTACHED:
	case EVENT_DETACHED:
	case EVENT_NOTE:
	case EVENT_LOST:
		text_format.event(output, event);
		break;
	case EVENT_CALL:
	case EVENT_SIGNAL:
	case EVENT_STOPPED:
	case EVENT_EXITED:
	case EVENT_KILLED:
	case EVENT_SUPERSEDED:
	case EVENT_ABI:
	case EVENT_FAULT:
	case EVENT_RUNNING:
		break;
	}
}

static void silent_tasks(struct output *output, size_t count)
{
	text_format.tasks(output, count);
}

static void silent_finish(struct output *output)
{
	text_format.finish(output);
}

const struct output_format silent_format = {
	.name = "silent",
	.create = silent_create,
	.event = silent_event,
	.tasks = silent_tasks,
	.finish = silent_finish,
};
