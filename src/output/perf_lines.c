// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/perf_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "decode/call.h"
#include "decode/value.h"
#include "event/event.h"
#include "event/fault.h"
#include "event/frame_describer.h"
#include "output/quote.h"
#include "output/sink.h"
#include "output/text_call.h"
#include "output/text_event.h"
#include "output/text_fault.h"
#include "output/text_value.h"
#include "unwind/unwind.h"

enum {
	/** Where results stand, counted from the call's name, and how far frames are indented. */
	RESULT_COLUMN = 70,
	FRAME_INDENT = 39,
};

struct perf_lines {
	struct output output;
	struct output_options options;
	struct sink *sink;
	struct buf buf;
	/** When the first event happened; only valid if there was one. */
	struct timespec start;
	bool has_start;
	/** Where messages go when lines go to a file; else NULL. */
	struct sink *message_sink;
};

static struct perf_lines *lines_of(struct output *output)
{
	return (struct perf_lines *)output;
}

static struct output *lines_create(const struct output_options *options, struct sink *sink)
{
	struct perf_lines *lines = xcalloc(1, sizeof(*lines));

	lines->options = *options;
	lines->sink = sink;
	lines->message_sink = sink_beside(sink);
	return &lines->output;
}

static void emit(struct perf_lines *lines)
{
	sink_write(lines->sink, lines->buf.data, lines->buf.length);
	buf_reset(&lines->buf);
}

static double milliseconds(struct timespec time)
{
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void put_prefix(struct perf_lines *lines, const struct event *event, bool has_duration)
{
	if (!lines->has_start)
		lines->start = event->monotonic;
	lines->has_start = true;
	buf_printf(&lines->buf, "%10.3f ",
		milliseconds(event->monotonic) - milliseconds(lines->start));
	if (has_duration)
		buf_printf(&lines->buf, "(%6.3f ms): ", milliseconds(event->duration));
	else
		buf_string(&lines->buf, "(         ): ");
	quote_plain(&lines->buf, event->comm, strlen(event->comm));
	buf_printf(&lines->buf, "/%d ", event->task.tid);
}

static void put_location(
	struct buf *buf, const struct unwind_frame *frame, const struct unwind_location *location)
{
	const char *path = frame->path ? frame->path : frame->map_name;

	buf_pad(buf, buf->length + FRAME_INDENT);
	if (location && location->function)
		quote_plain(buf, location->function, strlen(location->function));
	else
		buf_printf(buf, "[0x%llx]",
			(unsigned long long)(frame->module ? frame->module_pc : frame->pc));
	if (location && location->is_inlined) {
		buf_string(buf, " (inlined)\n");
		return;
	}
	if (!path || !path[0])
		path = "[unknown]";
	buf_string(buf, " (");
	quote_plain(buf, path, strlen(path));
	buf_string(buf, ")\n");
}

static void put_stack(struct perf_lines *lines, const struct unwind_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct unwind_frame *frame = &stack->frames[i];
		const struct unwind_description *what =
			frame_describe(lines->options.describer, frame);

		if (stack->folded && i == stack->fold_at)
			buf_printf(&lines->buf, "%*s... %zu more frames ...\n", FRAME_INDENT, "",
				stack->folded);
		for (size_t j = 0; what && j < what->count; j++)
			put_location(&lines->buf, frame, &what->locations[j]);
		if (!what || !what->count)
			put_location(&lines->buf, frame, NULL);
	}
}

static void put_kernel(struct buf *buf, const struct kernel_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct kernel_frame *frame = &stack->frames[i];

		buf_pad(buf, buf->length + FRAME_INDENT);
		if (frame->function)
			buf_string(buf, frame->function);
		else
			buf_printf(buf, "[0x%llx]", (unsigned long long)frame->address);
		buf_printf(buf, " ([%s])\n", frame->module ? frame->module : "kernel.kallsyms");
	}
}

static void put_end(struct perf_lines *lines, const struct event *event)
{
	buf_char(&lines->buf, '\n');
	if (event->kernel)
		put_kernel(&lines->buf, event->kernel);
	if (event->stack)
		put_stack(lines, event->stack);
	emit(lines);
}

static void put_call(struct perf_lines *lines, const struct call *call)
{
	struct buf *buf = &lines->buf;

	text_call_name(buf, call);
	buf_char(buf, '(');
	for (unsigned i = 0; i < call->arg_count; i++) {
		const struct value *value = call->args[i];

		if (!value)
			continue;
		if (buf->data[buf->length - 1] != '(')
			buf_string(buf, ", ");
		if (value->label)
			buf_printf(buf, "%s: ", value->label);
		text_value(buf, value, &lines->options.style);
	}
	buf_char(buf, ')');
}

static void lines_call_runs(struct output *output, const struct event *event)
{
	struct perf_lines *lines = lines_of(output);

	put_prefix(lines, event, false);
	put_call(lines, event->call);
	buf_string(&lines->buf, " ...");
	put_end(lines, event);
}

static void lines_call_ends(struct output *output, const struct event *event)
{
	struct perf_lines *lines = lines_of(output);
	const struct call *call = event->call;
	bool ended = call->result != CALL_UNFINISHED && call->result != CALL_NO_RESULT;
	size_t start;

	put_prefix(lines, event, ended);
	start = lines->buf.length;
	put_call(lines, call);
	if (call->result == CALL_UNFINISHED) {
		buf_string(&lines->buf, " ...");
	} else {
		buf_char(&lines->buf, ' ');
		buf_pad(&lines->buf, start + RESULT_COLUMN);
		buf_string(&lines->buf, "= ");
		text_call_result(&lines->buf, call, &lines->options.style);
	}
	put_end(lines, event);
}

static void put_message(struct perf_lines *lines, const struct event *event)
{
	struct buf *buf = &lines->buf;

	text_message(buf, event);
	if (!lines->message_sink) {
		emit(lines);
		return;
	}
	sink_write(lines->message_sink, buf->data, buf->length);
	sink_flush(lines->message_sink);
	buf_reset(buf);
}

static void lines_event(struct output *output, const struct event *event)
{
	struct perf_lines *lines = lines_of(output);

	switch (event->kind) {
	case EVENT_CALL:
	case EVENT_CHILD:
	case EVENT_EXEC:
	case EVENT_NAMED:
	case EVENT_SCHEDULED:
	case EVENT_ACCOUNT:
	case EVENT_ASKED:
		return;
	case EVENT_ATTACHED:
	case EVENT_DETACHED:
	case EVENT_NOTE:
		put_message(lines, event);
		return;
	case EVENT_FAULT:
		put_prefix(lines, event, /* has_duration= */ true);
		text_fault(&lines->buf, lines->options.describer, event->fault);
		break;
	case EVENT_SIGNAL:
	case EVENT_STOPPED:
	case EVENT_EXITED:
	case EVENT_KILLED:
	case EVENT_SUPERSEDED:
	case EVENT_ABI:
	case EVENT_RUNNING:
	case EVENT_LOST:
		put_prefix(lines, event, false);
		text_event(&lines->buf, event, &lines->options.style);
		break;
	}
	put_end(lines, event);
}

static void lines_finish(struct output *output)
{
	struct perf_lines *lines = lines_of(output);

	buf_deinit(&lines->buf);
	sink_close(lines->message_sink);
	free(lines);
}

const struct output_format perf_lines_format = {
	.name = "perf",
	.create = lines_create,
	.call_runs = lines_call_runs,
	.call_end = lines_call_ends,
	.event = lines_event,
	.finish = lines_finish,
};
