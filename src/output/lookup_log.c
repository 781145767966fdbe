// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/lookup_log.h"

#include <string.h>

#include "base/buf.h"
#include "event/event.h"
#include "event/frame_describer.h"
#include "output/quote.h"
#include "unwind/unwind.h"

enum {
	/** Frames shown of a stack, beginning with the first outside the C library. */
	FRAMES_MOST = 10,
};

void lookup_log_deinit(struct lookup_log *log)
{
	array_for_each (lookup, &log->lookups)
		array_deinit(&lookup->tries);
	array_deinit(&log->lookups);
	array_deinit(&log->codes);
	array_deinit(&log->opened);
	arena_deinit(&log->arena);
}

void lookup_log_opened(struct lookup_log *log, const char *path)
{
	array_for_each (opened, &log->opened) {
		if (!strcmp(*opened, path))
			return;
	}
	*array_add(&log->opened) = path;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

// The wrapper of the call says nothing.
static bool is_c_library(const struct unwind_frame *frame)
{
	const char *name = frame->path ? base_name(frame->path) : "";

	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-", 5) ||
	       !strncmp(name, "libpthread", 10);
}

static void put_plain(struct buf *buf, const char *text)
{
	quote_plain(buf, text, strlen(text));
}

static void put_location(
	struct buf *buf, const struct unwind_frame *frame, const struct unwind_location *location)
{
	buf_string(buf, "      ");
	if (location && location->function)
		put_plain(buf, location->function);
	else
		buf_hex(buf, frame->module ? frame->module_pc : frame->pc);
	if (location && location->file) {
		buf_char(buf, ' ');
		put_plain(buf, location->file);
		if (location->line)
			buf_printf(buf, ":%u", location->line);
	}
	buf_string(buf, " in ");
	put_plain(buf, frame->path ? frame->path : "generated code");
	buf_char(buf, '\n');
}

static void put_frame(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_frame *frame)
{
	const struct unwind_description *what = frame_describe(describer, frame);

	unwind_count_shown(what);
	for (size_t i = 0; i < what->count; i++)
		put_location(buf, frame, &what->locations[i]);
}

static void put_code(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_stack *stack)
{
	size_t first = 0, count = 0;

	while (first < stack->count && is_c_library(&stack->frames[first]))
		first++;
	for (size_t i = first; i < stack->count && count < FRAMES_MOST; i++, count++)
		put_frame(buf, describer, &stack->frames[i]);
}

static size_t code_of(
	struct lookup_log *log, const struct frame_describer *describer, const struct event *event)
{
	struct buf text = {0};
	size_t index = 0;

	if (event->stack)
		put_code(&text, describer, event->stack);
	while (index < log->codes.count &&
		(strcmp(log->codes.data[index].text, buf_text(&text)) ||
			strcmp(log->codes.data[index].comm, event->comm)))
		index++;
	if (index == log->codes.count)
		*array_add(&log->codes) = (struct lookup_code){
			.comm = arena_strndup(&log->arena, event->comm, strlen(event->comm)),
			.text = arena_strndup(&log->arena, buf_text(&text), text.length)};
	buf_deinit(&text);
	return index;
}

static struct lookup *lookup_of(struct lookup_log *log, const char *name)
{
	struct lookup *lookup;

	array_for_each (known, &log->lookups) {
		if (!strcmp(known->name, name))
			return known;
	}
	lookup = array_add(&log->lookups);
	*lookup = (struct lookup){.name = name};
	return lookup;
}

void lookup_log_add(struct lookup_log *log, const struct frame_describer *describer,
	const struct lookup_try *try, const struct event *event)
{
	struct lookup *lookup = lookup_of(log, base_name(try->path));
	size_t code = code_of(log, describer, event);
	struct lookup_try *added;

	array_for_each (known, &lookup->tries) {
		if (known->code == code && !strcmp(known->path, try->path) &&
			!strcmp(known->result, try->result)) {
			known->count++;
			return;
		}
	}
	added = array_add(&lookup->tries);
	*added = *try;
	added->code = code;
	added->count = 1;
}
