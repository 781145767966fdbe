// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/separate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hash.h"
#include "event/event.h"
#include "output/messages.h"
#include "output/outputs.h"
#include "output/sink.h"

/** The output of a task. */
struct part {
	struct outputs outputs;
	struct sink *sink;
};

struct separate {
	struct output output;
	const struct separate_options *own;
	struct output_options options;
	/** tid to struct part, NULL where no file could be opened. */
	struct hash parts;
	/** For what is about no task. */
	struct outputs messages;
};

static struct separate *separate_of(struct output *output)
{
	return (struct separate *)output;
}

static struct output *separate_create(const struct output_options *options, struct sink *sink)
{
	struct separate *separate = xcalloc(1, sizeof(*separate));

	separate->own = options->own;
	separate->options = *options;
	// The file's name says whose lines it has.
	separate->options.pid_always = false;
	outputs_add(&separate->messages, &(struct output_request){.format = &messages_format},
		options, sink);
	return &separate->output;
}

static void part_destroy(struct part *part)
{
	outputs_finish(&part->outputs);
	sink_close(part->sink);
	free(part);
}

static void complain(struct separate *separate, const struct event *event, struct error *error)
{
	struct event note = *event;

	note.kind = EVENT_NOTE;
	note.text = error->message;
	outputs_event(&separate->messages, &note);
	error_destroy(error);
}

static struct part *part_create(struct separate *separate, const struct event *event)
{
	struct part *part = xcalloc(1, sizeof(*part));
	cleanup_free char *path = xasprintf("%s.%d", separate->own->path, event->task.tid);
	struct error *error = sink_open(path, separate->own->append, &part->sink);

	if (error) {
		complain(separate, event, error);
		free(part);
		return NULL;
	}
	outputs_add(&part->outputs, &(struct output_request){.format = separate->own->format},
		&separate->options, part->sink);
	return part;
}

static bool is_end(const struct event *event)
{
	return event->kind == EVENT_EXITED || event->kind == EVENT_KILLED ||
	       event->kind == EVENT_SUPERSEDED || event->kind == EVENT_DETACHED;
}

static struct part *part_of(struct separate *separate, const struct event *event)
{
	uint64_t key = (uint64_t)event->task.tid;
	struct part *part = hash_get(&separate->parts, key);

	if (part)
		return part;
	part = part_create(separate, event);
	if (part)
		hash_set(&separate->parts, key, part);
	return part;
}

// The file is up to date whenever something was written.
static void hand_on(struct separate *separate, const struct event *event,
	void (*hand)(struct outputs *outputs, const struct event *event))
{
	struct part *part = part_of(separate, event);

	if (!part)
		return;
	hand(&part->outputs, event);
	sink_flush(part->sink);
}

static void separate_call_begin(struct output *output, const struct event *event)
{
	hand_on(separate_of(output), event, outputs_call_begin);
}

static void separate_call_runs(struct output *output, const struct event *event)
{
	hand_on(separate_of(output), event, outputs_call_runs);
}

static void separate_call_end(struct output *output, const struct event *event)
{
	hand_on(separate_of(output), event, outputs_call_end);
}

static void separate_event(struct output *output, const struct event *event)
{
	struct separate *separate = separate_of(output);

	if (!event->task.tid) {
		outputs_event(&separate->messages, event);
		return;
	}
	hand_on(separate, event, outputs_event);
	if (is_end(event)) {
		struct part *part = hash_remove(&separate->parts, (uint64_t)event->task.tid);

		if (part)
			part_destroy(part);
	}
}

static void separate_flush_pending(struct output *output, bool wait)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&separate_of(output)->parts, &position))) {
		struct part *part = entry->value;

		outputs_flush_pending(&part->outputs, wait);
		sink_flush(part->sink);
	}
}

static void separate_finish(struct output *output)
{
	struct separate *separate = separate_of(output);
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&separate->parts, &position)))
		part_destroy(entry->value);
	hash_deinit(&separate->parts);
	outputs_finish(&separate->messages);
	free(separate);
}

const struct output_format separate_format = {
	.name = "separate",
	.create = separate_create,
	.call_begin = separate_call_begin,
	.call_runs = separate_call_runs,
	.call_end = separate_call_end,
	.event = separate_event,
	.flush_pending = separate_flush_pending,
	.finish = separate_finish,
};
