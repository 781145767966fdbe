// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "event/frame_describer.h"
#include "output_run.h"
#include "unwind/frame.h"
#include "unwind/unwind.h"

/** Writes a letter for each function that is called. */
struct letters {
	struct output output;
	struct sink *sink;
};

static struct output *letters_create(const struct output_options *options, struct sink *sink)
{
	struct letters *letters = xcalloc(1, sizeof(*letters));

	(void)options;
	letters->sink = sink;
	return &letters->output;
}

static void put(struct output *output, const char *letter)
{
	sink_write(((struct letters *)output)->sink, letter, 1);
}

static void letters_begin(struct output *output, const struct event *event)
{
	(void)event;
	put(output, "b");
}

static void letters_runs(struct output *output, const struct event *event)
{
	(void)event;
	put(output, "r");
}

static void letters_end(struct output *output, const struct event *event)
{
	(void)event;
	put(output, "e");
}

static void letters_event(struct output *output, const struct event *event)
{
	(void)event;
	put(output, "v");
}

static void letters_tasks(struct output *output, size_t count)
{
	put(output, count == 2 ? "2" : "?");
}

static void letters_flush_pending(struct output *output, bool wait)
{
	put(output, wait ? "W" : "p");
}

static void letters_finish(struct output *output)
{
	put(output, ".");
	free(output);
}

static const struct output_format letters_format = {
	.name = "letters",
	.create = letters_create,
	.call_begin = letters_begin,
	.call_runs = letters_runs,
	.call_end = letters_end,
	.event = letters_event,
	.tasks = letters_tasks,
	.flush_pending = letters_flush_pending,
	.finish = letters_finish,
};

static const struct output_format bare_format = {
	.name = "bare",
	.create = letters_create,
	.finish = letters_finish,
};

static void add(struct run *run, const struct output_format *format)
{
	outputs_add(&run->outputs, &(struct output_request){.format = format},
		&(struct output_options){0}, run->sink);
}

static void tell_all(struct run *run)
{
	struct event event = {.kind = EVENT_NOTE, .text = ""};

	outputs_tasks(&run->outputs, 2);
	outputs_call_begin(&run->outputs, &event);
	outputs_call_runs(&run->outputs, &event);
	outputs_call_end(&run->outputs, &event);
	outputs_event(&run->outputs, &event);
	outputs_flush_pending(&run->outputs, /* wait= */ false);
	outputs_flush_pending(&run->outputs, /* wait= */ true);
}

CASE(what_a_format_leaves_out_is_left_out)
{
	struct run run;

	run_open(&run);
	add(&run, &bare_format);
	tell_all(&run);
	run_end(&run);
	assert_string_equal(run.text, ".");
}

CASE(each_output_is_told_everything)
{
	struct run run;

	run_open(&run);
	add(&run, &letters_format);
	add(&run, &bare_format);
	add(&run, &letters_format);
	tell_all(&run);
	run_end(&run);
	assert_string_equal(run.text, "22bbrreevvppWW...");
}

/** Knows the name of the frame at 0x20 from the start, that of 0x10 when it was waited for. */
struct names {
	bool has_waited;
};

static const struct unwind_description *describe(void *context, const struct unwind_frame *frame)
{
	static const struct unwind_location near_place = {.function = "near"};
	static const struct unwind_location far_place = {.function = "far"};
	static const struct unwind_description unknown = {0};
	static struct unwind_description near_what = {.locations = &near_place, .count = 1};
	static struct unwind_description far_what = {.locations = &far_place, .count = 1};
	const struct names *names = context;

	if (frame->pc == 0x20)
		return &near_what;
	return names->has_waited ? &far_what : &unknown;
}

static bool is_pending(void *context, const struct unwind_frame *frame)
{
	const struct names *names = context;

	return frame->pc == 0x10 && !names->has_waited;
}

static void wait_for_names(void *context)
{
	struct names *names = context;

	names->has_waited = true;
}

CASE(text_is_deferred_until_names_come)
{
	struct names names = {0};
	const struct frame_describer describer = {
		.context = &names,
		.describe = describe,
		.is_pending = is_pending,
		.wait = wait_for_names,
	};
	struct unwind_frame frames[] = {
		{.pc = 0x20, .map_name = ""},
		{.pc = 0x10, .map_name = ""},
	};
	struct unwind_stack stack = {.frames = frames, .count = 2};
	struct event event = {.kind = EVENT_SIGNAL, .signal = {.number = 2}, .stack = &stack};
	struct run run;

	run_start(&run, "text",
		&(struct output_options){.stack = OUTPUT_STACK_SYMBOL, .describer = &describer});
	run_event(&run, &event);
	outputs_flush_pending(&run.outputs, /* wait= */ false);
	assert_false(sink_pending(run.sink));
	assert_false(names.has_waited);
	outputs_flush_pending(&run.outputs, /* wait= */ true);
	assert_true(names.has_waited);
	run_end(&run);
	assert_string_equal(run.text, "--- SIGINT ---\n"
				      " > [anon](near+0x0) [0x20]\n"
				      " > [anon](far+0x0) [0x10]\n");
}

RUN_CASES(ADD(what_a_format_leaves_out_is_left_out), ADD(each_output_is_told_everything),
	ADD(text_is_deferred_until_names_come));
