// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/buf.h"
#include "event/frame_describer.h"
#include "output/deferred.h"
#include "output/json_args.h"
#include "output/json_stack.h"
#include "output/json_write.h"
#include "unwind/unwind.h"

static void put_text_member(struct buf *buf, const char *key, const char *text)
{
	if (text)
		json_bytes_member(buf, key, text, strlen(text));
}

static void put_number_member(struct buf *buf, const char *key, uint64_t number)
{
	json_key(buf, key);
	json_unsigned(buf, number);
}

static const char *reason_name(enum unwind_reason reason)
{
	switch (reason) {
	case UNWIND_REASON_NONE:
		return NULL;
	case UNWIND_REASON_NO_MODULE:
		return "no_module";
	case UNWIND_REASON_NO_FILE:
		return "no_file";
	case UNWIND_REASON_NO_SYMBOL:
		return "no_symbol";
	case UNWIND_REASON_NO_LINE:
		return "no_line";
	}
	return NULL;
}

static const char *end_name(enum frame_end end)
{
	switch (end) {
	case FRAME_END_OUTERMOST:
		return "outermost";
	case FRAME_END_NO_RULE:
		return "no_rule";
	case FRAME_END_NO_FRAME_POINTER:
		return "no_frame_pointer";
	case FRAME_END_UNREADABLE:
		return "unreadable";
	case FRAME_END_LOOP:
		return "loop";
	case FRAME_END_LIMIT:
		return "limit";
	case FRAME_END_BAD_ADDRESS:
		return "bad_address";
	case FRAME_END_UNKNOWN_REGISTER:
		return "unknown_register";
	case FRAME_END_NO_STATE:
		return "no_state";
	}
	return NULL;
}

static const char *origin_name(enum frame_origin origin)
{
	switch (origin) {
	case FRAME_ORIGIN_REGISTERS:
		return "registers";
	case FRAME_ORIGIN_EH_FRAME:
		return "eh_frame";
	case FRAME_ORIGIN_DEBUG_FRAME:
		return "debug_frame";
	case FRAME_ORIGIN_FRAME_POINTER:
		return "frame_pointer";
	case FRAME_ORIGIN_GUESS:
		return "guess";
	}
	return NULL;
}

static void put_module(struct buf *buf, const struct unwind_frame *frame)
{
	const uint8_t *build_id;
	size_t size = 0;

	if (!frame->module) {
		if (frame->map_name && frame->map_name[0])
			put_text_member(buf, "mapping", frame->map_name);
		if (frame->path)
			put_number_member(buf, "offset", frame->file_offset);
		return;
	}
	put_text_member(buf, "module", frame->path);
	build_id = unwind_module_build_id(frame->module, &size);
	if (build_id && size) {
		json_key(buf, "build_id");
		json_hex(buf, build_id, size);
	}
	put_number_member(buf, "module_pc", frame->module_pc);
	if (frame->file_offset)
		put_number_member(buf, "offset", frame->file_offset);
}

static void put_location(
	struct buf *buf, const struct unwind_location *location, uint64_t symbol_offset)
{
	put_text_member(buf, "function", location->function);
	if (location->linkage_name &&
		(!location->function || strcmp(location->linkage_name, location->function) != 0))
		put_text_member(buf, "linkage_name", location->linkage_name);
	if (location->function && !location->is_inlined)
		put_number_member(buf, "symbol_offset", symbol_offset);
	put_text_member(buf, "file", location->file);
	if (location->line)
		put_number_member(buf, "line", location->line);
	if (location->column)
		put_number_member(buf, "column", location->column);
	json_key(buf, "inlined");
	json_bool(buf, location->is_inlined);
}

// The runtime's own word for code it generated, found in no file with symbols.
static void put_generated(struct buf *buf, const struct unwind_frame *frame)
{
	if (frame->generated_name)
		put_text_member(buf, "function_from", "perf_map");
}

static void put_reasons(struct buf *buf, const struct unwind_description *what)
{
	put_text_member(buf, "no_function", reason_name(what->no_function));
	put_text_member(buf, "no_line", reason_name(what->no_line));
}

// @location, @args and @what are NULL where nothing is known.
static void put_frame(struct buf *buf, const struct unwind_frame *frame,
	const struct unwind_location *location, const struct unwind_arg_list *args,
	const struct unwind_description *what)
{
	json_open(buf, '{');
	put_number_member(buf, "pc", frame->pc);
	put_module(buf, frame);
	if (location)
		put_location(buf, location, what->symbol_offset);
	if (args)
		json_args_member(buf, args);
	put_generated(buf, frame);
	if (what)
		put_reasons(buf, what);
	put_text_member(buf, "origin", origin_name(frame->origin));
	if (frame->is_signal_frame) {
		json_key(buf, "signal_frame");
		json_bool(buf, true);
	}
	json_close(buf, '}');
}

static void put_frames(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_frame *frame)
{
	const struct unwind_description *what = frame_describe(describer, frame);

	if (what)
		unwind_count_shown(what);
	if (!what || !what->count) {
		put_frame(buf, frame, NULL, NULL, what);
		return;
	}
	for (size_t i = 0; i < what->count; i++)
		put_frame(buf, frame, &what->locations[i],
			i < frame->arg_list_count ? &frame->args[i] : NULL, what);
}

static void put_repeated(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_fold *fold)
{
	const struct unwind_description *what = frame_describe(describer, &fold->frame);

	json_open(buf, '{');
	put_number_member(buf, "pc", fold->frame.pc);
	if (what && what->count)
		put_text_member(buf, "function", what->locations[what->count - 1].function);
	put_number_member(buf, "count", fold->count);
	json_close(buf, '}');
}

static void put_folded(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_stack *stack)
{
	json_open(buf, '{');
	put_number_member(buf, "frames_left_out", stack->folded);
	if (stack->fold_count) {
		json_key(buf, "repeated");
		json_open(buf, '[');
		for (size_t i = 0; i < stack->fold_count; i++)
			put_repeated(buf, describer, &stack->folds[i]);
		json_close(buf, ']');
	}
	json_close(buf, '}');
}

void json_stack_frame(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_frame *frame)
{
	put_frames(buf, describer, frame);
	buf->length--;
}

void json_stack_members(struct buf *buf, const struct frame_describer *describer,
	struct deferred *deferred, const struct unwind_stack *stack)
{
	json_key(buf, "stack");
	json_open(buf, '[');
	for (size_t i = 0; i < stack->count; i++) {
		if (stack->folded && i == stack->fold_at)
			put_folded(buf, describer, stack);
		if (deferred && deferred_must_wait(deferred, &stack->frames[i])) {
			deferred_add(deferred, buf, &stack->frames[i], "0");
			buf_char(buf, ',');
		} else {
			put_frames(buf, describer, &stack->frames[i]);
		}
	}
	if (stack->folded && stack->fold_at >= stack->count)
		put_folded(buf, describer, stack);
	json_close(buf, ']');
	put_text_member(buf, "stack_end", end_name(stack->end));
	if (stack->end == FRAME_END_NO_RULE || stack->end == FRAME_END_NO_FRAME_POINTER ||
		stack->end == FRAME_END_UNREADABLE || stack->end == FRAME_END_BAD_ADDRESS)
		put_number_member(buf, "stack_end_address", stack->end_address);
}
