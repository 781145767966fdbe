// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "decode/call.h"
#include "event/event.h"
#include "output/deferred.h"
#include "output/frame_texts.h"
#include "output/sink.h"
#include "output/text.h"
#include "output/text_call.h"
#include "output/text_event.h"
#include "output/text_fault.h"
#include "output/text_prefix.h"
#include "output/text_stack.h"

struct text {
	struct output output;
	struct output_options options;
	struct deferred deferred;
	struct text_prefix prefix;
	/** What is being put together; empty between two calls of the interface. */
	struct buf buf;
	struct frame_texts frames;
	/** A line is open: @open_task's, @column characters so far. */
	bool is_open;
	struct task_id open_task;
	size_t column;
	/** Messages that wait for the end of the open line. */
	struct buf messages;
	/** Where messages go when the lines go to a file; else NULL. */
	struct sink *message_sink;
};

static struct text *text_of(struct output *output)
{
	return (struct text *)output;
}

static void render_frame(struct buf *buf, void *context, const struct unwind_frame *frame)
{
	struct text *text = context;

	text_stack_frame(buf, text->options.describer, &text->frames, frame, text->options.stack);
}

static struct output *text_create(const struct output_options *options, struct sink *sink)
{
	struct text *text = xcalloc(1, sizeof(*text));

	text->options = *options;
	text->deferred = (struct deferred){.sink = sink,
		.describer = options->describer,
		.render = render_frame,
		.context = text};
	text->prefix.options = &text->options;
	text->prefix.pid_always = options->pid_always;
	text->message_sink = sink_beside(sink);
	return &text->output;
}

static void emit(struct text *text)
{
	deferred_write(&text->deferred, &text->buf);
}

static void put_messages(struct text *text)
{
	buf_bytes(&text->buf, text->messages.data, text->messages.length);
	buf_reset(&text->messages);
}

// Ends the open line, if there is one, with @how.
static void close_line(struct text *text, const char *how)
{
	if (!text->is_open)
		return;
	text->is_open = false;
	buf_string(&text->buf, how);
	buf_char(&text->buf, '\n');
	put_messages(text);
}

static void put_prefix(struct text *text, const struct event *event, struct timespec later)
{
	text_prefix_append(&text->prefix, &text->buf, event, later);
}

// Puts the task's number in front of every line from @start on.
static void prefix_lines(struct text *text, size_t start, int tid)
{
	size_t length = text->buf.length - start;
	cleanup_free char *lines = xstrndup(text->buf.data + start, length);
	const char *line = lines, *end = lines + length;

	text->buf.length = start;
	while (line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *next = newline ? newline + 1 : end;

		text_prefix_pid(&text->prefix, &text->buf, tid, NULL);
		buf_bytes(&text->buf, line, (size_t)(next - line));
		line = next;
	}
}

static void put_stack(struct text *text, const struct event *event)
{
	size_t start = text->buf.length;

	if (event->kernel)
		text_kernel_stack(&text->buf, event->kernel);
	if (event->stack)
		text_stack(&text->buf, text->options.describer, &text->frames, &text->deferred,
			event->stack, text->options.stack);
	if (text->options.stack_pid && text->buf.length > start)
		prefix_lines(text, start, event->task.tid);
}

static void text_call_begins(struct output *output, const struct event *event)
{
	struct text *text = text_of(output);
	size_t start;

	close_line(text, " <unfinished ...>");
	start = text->buf.length;
	put_prefix(text, event, (struct timespec){0});
	text_call_begin(&text->buf, event->call, &text->options.style);
	text->is_open = true;
	text->open_task = event->task;
	text->column = text->buf.length - start;
	emit(text);
}

static void text_call_runs(struct output *output, const struct event *event)
{
	struct text *text = text_of(output);
	bool is_ours = text->is_open && task_id_equal(text->open_task, event->task);

	close_line(text, " <unfinished ...>");
	if (!is_ours) {
		put_prefix(text, event, event->duration);
		text_call_begin(&text->buf, event->call, &text->options.style);
		buf_string(&text->buf, " <unfinished ...>\n");
	}
	put_stack(text, event);
	emit(text);
}

static void put_duration(struct text *text, const struct event *event)
{
	switch (event->call->result) {
	case CALL_SUCCESS:
	case CALL_ERROR:
	case CALL_RESTART:
		buf_string(&text->buf, " <");
		put_seconds(&text->buf, event->duration, 0, text->options.duration_digits);
		buf_char(&text->buf, '>');
		break;
	case CALL_UNFINISHED:
	case CALL_NO_RESULT:
		break;
	}
}

static void text_call_ends(struct output *output, const struct event *event)
{
	struct text *text = text_of(output);
	const struct call *call = event->call;
	bool is_ours = text->is_open && task_id_equal(text->open_task, event->task);
	size_t before = is_ours ? text->column : 0;
	size_t start;

	if (call->result == CALL_UNFINISHED) {
		if (is_ours)
			close_line(text, " <detached ...>");
		emit(text);
		return;
	}
	if (is_ours) {
		start = 0;
	} else {
		close_line(text, " <unfinished ...>");
		start = text->buf.length;
		put_prefix(text, event, event->duration);
		buf_string(&text->buf, "<... ");
		text_call_name(&text->buf, call);
		buf_string(&text->buf, " resumed>");
	}
	text_call_rest(&text->buf, call, &text->options.style);
	buf_char(&text->buf, ' ');
	if (text->options.align > before)
		buf_pad(&text->buf, start + text->options.align - before);
	buf_string(&text->buf, "= ");
	text_call_result(&text->buf, call, &text->options.style);
	if (text->options.duration)
		put_duration(text, event);
	buf_char(&text->buf, '\n');
	text->is_open = false;
	text_call_data(&text->buf, call);
	if (!event->stack_shown)
		put_stack(text, event);
	put_messages(text);
	emit(text);
}

static void put_message(struct text *text, const struct event *event)
{
	// It is not about what happens inside a call, so it does not tear its line apart.
	struct buf *buf = text->is_open || text->message_sink ? &text->messages : &text->buf;

	text_message(buf, event);
	if (text->message_sink) {
		sink_write(text->message_sink, buf->data, buf->length);
		sink_flush(text->message_sink);
		buf_reset(buf);
	}
}

static void put_line(struct text *text, const struct event *event)
{
	close_line(text, " <unfinished ...>");
	put_prefix(text, event, (struct timespec){0});
	if (event->kind == EVENT_FAULT)
		text_fault(&text->buf, text->options.describer, event->fault);
	else
		text_event(&text->buf, event, &text->options.style);
	buf_char(&text->buf, '\n');
	put_stack(text, event);
}

static void text_event_happens(struct output *output, const struct event *event)
{
	struct text *text = text_of(output);

	switch (event->kind) {
	case EVENT_CALL:
	case EVENT_CHILD:
	case EVENT_EXEC:
	case EVENT_NAMED:
	case EVENT_SCHEDULED:
	case EVENT_ACCOUNT:
	case EVENT_ASKED:
		return;
	case EVENT_SIGNAL:
	case EVENT_STOPPED:
	case EVENT_EXITED:
	case EVENT_KILLED:
	case EVENT_SUPERSEDED:
	case EVENT_ABI:
	case EVENT_RUNNING:
	case EVENT_FAULT:
	case EVENT_LOST:
		put_line(text, event);
		break;
	case EVENT_DETACHED:
		if (text->is_open && task_id_equal(text->open_task, event->task))
			close_line(text, " <detached ...>");
		put_message(text, event);
		break;
	case EVENT_ATTACHED:
	case EVENT_NOTE:
		put_message(text, event);
		break;
	}
	emit(text);
}

static void text_tasks(struct output *output, size_t count)
{
	text_of(output)->prefix.tasks = count;
}

static void text_flush_pending(struct output *output, bool wait)
{
	deferred_flush_pending(&text_of(output)->deferred, wait);
}

static void text_finish(struct output *output)
{
	struct text *text = text_of(output);

	close_line(text, " <unfinished ...>");
	emit(text);
	deferred_finish(&text->deferred);
	buf_deinit(&text->buf);
	buf_deinit(&text->messages);
	frame_texts_deinit(&text->frames);
	sink_close(text->message_sink);
	free(text);
}

const struct output_format text_format = {
	.name = "text",
	.create = text_create,
	.call_begin = text_call_begins,
	.call_runs = text_call_runs,
	.call_end = text_call_ends,
	.event = text_event_happens,
	.tasks = text_tasks,
	.flush_pending = text_flush_pending,
	.finish = text_finish,
};
