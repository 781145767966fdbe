// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/messages.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "event/event.h"
#include "output/sink.h"
#include "output/text_event.h"
#include "output/text_prefix.h"

struct messages {
	struct output output;
	struct output_options options;
	struct text_prefix prefix;
	struct sink *sink;
	/** Standard error where the tables go to a file; else NULL. */
	struct sink *message_sink;
};

static struct messages *messages_of(struct output *output)
{
	return (struct messages *)output;
}

static struct output *messages_create(const struct output_options *options, struct sink *sink)
{
	struct messages *messages = xcalloc(1, sizeof(*messages));

	messages->options = *options;
	messages->prefix.options = &messages->options;
	messages->prefix.pid_always = options->pid_always;
	messages->sink = sink;
	messages->message_sink = sink_beside(sink);
	return &messages->output;
}

static void put_message(struct messages *messages, const struct event *event)
{
	struct buf line = {0};

	text_message(&line, event);
	sink_write(messages->message_sink ? messages->message_sink : messages->sink, line.data,
		line.length);
	if (messages->message_sink)
		sink_flush(messages->message_sink);
	buf_deinit(&line);
}

static void put_loss(struct messages *messages, const struct event *event)
{
	struct buf line = {0};

	text_prefix_append(&messages->prefix, &line, event, (struct timespec){0});
	text_event(&line, event, &messages->options.style);
	buf_char(&line, '\n');
	sink_write(messages->sink, line.data, line.length);
	buf_deinit(&line);
}

static void messages_event(struct output *output, const struct event *event)
{
	switch (event->kind) {
	case EVENT_ATTACHED:
	case EVENT_DETACHED:
	case EVENT_NOTE:
		put_message(messages_of(output), event);
		break;
	case EVENT_LOST:
		put_loss(messages_of(output), event);
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
	case EVENT_CHILD:
	case EVENT_EXEC:
	case EVENT_NAMED:
	case EVENT_SCHEDULED:
	case EVENT_ACCOUNT:
	case EVENT_ASKED:
		break;
	}
}

static void messages_tasks(struct output *output, size_t count)
{
	messages_of(output)->prefix.tasks = count;
}

static void messages_finish(struct output *output)
{
	struct messages *messages = messages_of(output);

	sink_close(messages->message_sink);
	free(messages);
}

const struct output_format messages_format = {
	.name = "messages",
	.create = messages_create,
	.event = messages_event,
	.tasks = messages_tasks,
	.finish = messages_finish,
};
