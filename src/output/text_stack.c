// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/buf.h"
#include "event/frame_describer.h"
#include "output/deferred.h"
#include "output/frame_texts.h"
#include "output/quote.h"
#include "output/text_args.h"
#include "output/text_stack.h"
#include "unwind/unwind.h"

static void put_text(struct buf *buf, const char *text)
{
	quote_plain(buf, text, strlen(text));
}

static const char *frame_file(const struct unwind_frame *frame)
{
	// A file that was deleted is called so, unless there are names for what was in it.
	if (frame->module)
		return frame->path;
	if (!frame->map_name)
		return frame->is_unmapped ? "[unmapped]" : "[unknown]";
	return frame->map_name[0] && strcmp(frame->map_name, "//anon") != 0 ? frame->map_name
									    : "[anon]";
}

static uint64_t frame_place(const struct unwind_frame *frame, enum output_stack form)
{
	if (!frame->module)
		return frame->path ? frame->file_offset : frame->pc;
	return form == OUTPUT_STACK_SYMBOL && frame->file_offset ? frame->file_offset
								 : frame->module_pc;
}

static bool is_uncertain(const struct unwind_frame *frame)
{
	return frame->origin == FRAME_ORIGIN_FRAME_POINTER || frame->origin == FRAME_ORIGIN_GUESS;
}

// One line. @offset only counts for functions that really exist, and @location may be NULL.
static void put_line(struct buf *buf, const struct unwind_frame *frame,
	const struct unwind_location *location, const struct unwind_arg_list *args, uint64_t offset,
	enum output_stack form)
{
	bool source = form == OUTPUT_STACK_SOURCE;

	buf_string(buf, " > ");
	put_text(buf, frame_file(frame));
	buf_char(buf, '(');
	if (source && frame->is_signal_frame) {
		buf_string(buf, "<signal handler called>");
	} else if (location && location->function) {
		put_text(buf, location->function);
		if (!location->is_inlined) {
			buf_char(buf, '+');
			buf_hex(buf, offset);
		}
	}
	buf_char(buf, ')');
	if (args)
		text_args(buf, args);
	buf_string(buf, " [");
	buf_hex(buf, frame_place(frame, form));
	buf_char(buf, ']');
	if (source && location && location->file) {
		buf_char(buf, ' ');
		put_text(buf, location->file);
		if (location->line)
			buf_printf(buf, ":%u", location->line);
	}
	if (source && location && location->is_inlined)
		buf_string(buf, " (inlined)");
	if (frame->generated_name)
		buf_string(buf, " (perf map)");
	if (source && is_uncertain(frame))
		buf_string(buf, " ?");
	buf_char(buf, '\n');
}

static void put_locations(struct buf *buf, const struct unwind_frame *frame,
	const struct unwind_description *what, enum output_stack form)
{
	if (!what || !what->count) {
		put_line(buf, frame, NULL, NULL, 0, form);
		return;
	}
	for (size_t i = 0; i < what->count; i++) {
		const struct unwind_location *location = &what->locations[i];
		const struct unwind_arg_list *args;

		if (location->is_inlined && form != OUTPUT_STACK_SOURCE)
			continue;
		args = i < frame->arg_list_count ? &frame->args[i] : NULL;
		put_line(buf, frame, location, args, what->symbol_offset, form);
	}
}

void text_stack_frame(struct buf *buf, const struct frame_describer *describer,
	struct frame_texts *texts, const struct unwind_frame *frame, enum output_stack form)
{
	const struct frame_text *known = frame->args ? NULL : frame_texts_find(texts, frame);
	const struct unwind_description *what;
	size_t start = buf->length;

	if (known) {
		unwind_count_shown(known->what);
		buf_bytes(buf, known->text, known->length);
		return;
	}
	what = frame_describe(describer, frame);
	if (what)
		unwind_count_shown(what);
	put_locations(buf, frame, what, form);
	// The values of parameters are other ones each time.
	if (what && what->is_final && !frame->args)
		frame_texts_add(texts, frame, what, buf->data + start, buf->length - start);
}

// The function of a frame, or NULL.
static const char *function_of(
	const struct frame_describer *describer, const struct unwind_frame *frame)
{
	const struct unwind_description *what = frame_describe(describer, frame);

	return what && what->count ? what->locations[what->count - 1].function : NULL;
}

// With commas between the thousands.
static void put_count(struct buf *buf, size_t count)
{
	if (count >= 1000) {
		put_count(buf, count / 1000);
		buf_printf(buf, ",%03zu", count % 1000);
	} else {
		buf_printf(buf, "%zu", count);
	}
}

static void put_repeated(struct buf *buf, const char *function, size_t count)
{
	size_t length = strlen(function);

	put_count(buf, count);
	buf_string(buf, " more of ");
	put_text(buf, function);
	if (!length || function[length - 1] != ')')
		buf_string(buf, "()");
}

// All places of @function among the folds are counted at its first one.
static size_t count_function(
	const struct frame_describer *describer, const struct unwind_stack *stack, size_t first)
{
	const char *function = function_of(describer, &stack->folds[first].frame);
	size_t count = 0;

	for (size_t i = 0; i < stack->fold_count; i++) {
		const char *other = function_of(describer, &stack->folds[i].frame);

		if (!other || strcmp(other, function) != 0)
			continue;
		if (i < first)
			return 0;
		count += stack->folds[i].count;
	}
	return count;
}

static void put_folded(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_stack *stack)
{
	bool are_named = stack->fold_count > 0;
	bool is_first = true;

	for (size_t i = 0; i < stack->fold_count; i++)
		are_named = are_named && function_of(describer, &stack->folds[i].frame);
	buf_string(buf, " > ... ");
	for (size_t i = 0; are_named && i < stack->fold_count; i++) {
		size_t count = count_function(describer, stack, i);

		if (!count)
			continue;
		if (!is_first)
			buf_string(buf, ", ");
		is_first = false;
		put_repeated(buf, function_of(describer, &stack->folds[i].frame), count);
	}
	if (!are_named) {
		put_count(buf, stack->folded);
		buf_string(buf, " more frames");
	}
	buf_string(buf, " ...\n");
}

static void put_end(struct buf *buf, const struct unwind_stack *stack)
{
	buf_string(buf, " > end: ");
	buf_string(buf, frame_end_text(stack->end));
	switch (stack->end) {
	case FRAME_END_NO_RULE:
	case FRAME_END_NO_FRAME_POINTER:
	case FRAME_END_UNREADABLE:
	case FRAME_END_BAD_ADDRESS:
		buf_string(buf, " at ");
		buf_hex(buf, stack->end_address);
		break;
	case FRAME_END_OUTERMOST:
	case FRAME_END_LOOP:
	case FRAME_END_LIMIT:
	case FRAME_END_UNKNOWN_REGISTER:
	case FRAME_END_NO_STATE:
		break;
	}
	buf_char(buf, '\n');
}

void text_stack(struct buf *buf, const struct frame_describer *describer, struct frame_texts *texts,
	struct deferred *deferred, const struct unwind_stack *stack, enum output_stack form)
{
	if (form == OUTPUT_STACK_NONE)
		return;
	for (size_t i = 0; i < stack->count; i++) {
		if (stack->folded && i == stack->fold_at)
			put_folded(buf, describer, stack);
		if (deferred && deferred_must_wait(deferred, &stack->frames[i]))
			deferred_add(deferred, buf, &stack->frames[i], "");
		else
			text_stack_frame(buf, describer, texts, &stack->frames[i], form);
	}
	if (stack->folded && stack->fold_at >= stack->count)
		put_folded(buf, describer, stack);
	if (stack->end != FRAME_END_OUTERMOST)
		put_end(buf, stack);
}
