// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/explain_lookups.h"

#include <string.h>

#include "abi/errors.h"
#include "base/buf.h"
#include "decode/call.h"
#include "decode/value.h"
#include "event/event.h"
#include "output/lookup_report.h"
#include "output/sink.h"
#include "output/text_stack.h"
#include "schema/syscall.h"
#include "unwind/report.h"

struct lookups {
	struct output output;
	struct output_options options;
	struct sink *sink;
	struct lookup_log log;
};

static struct output *lookups_create(const struct output_options *options, struct sink *sink)
{
	struct lookups *lookups = xcalloc(1, sizeof(*lookups));

	lookups->options = *options;
	lookups->sink = sink;
	return &lookups->output;
}

static const struct value *target_of(const struct value *value)
{
	while (value->kind == VALUE_REF && value->first)
		value = value->first;
	return value;
}

static const struct value_note *path_note(const struct value *value)
{
	const struct value_note *note = value ? value->notes : NULL;

	while (note && note->kind != NOTE_PATH)
		note = note->next;
	return note;
}

// The path that an argument stands for, absolute if that can be known; NULL if it is none.
static const char *path_of(
	struct arena *arena, const struct call *call, unsigned index, const struct value *value)
{
	const struct value *directory = index ? target_of(call->args[index - 1]) : NULL;
	const struct value_note *note;

	if (value->kind != VALUE_BYTES || value->role != ROLE_PATH || !value->length)
		return NULL;
	if (value->bytes[0] == '/')
		return arena_strndup(arena, (const char *)value->bytes, value->length);
	note = directory && (directory->role == ROLE_DIRFD || directory->role == ROLE_FD)
		       ? path_note(directory)
		       : NULL;
	if (!note)
		return arena_strndup(arena, (const char *)value->bytes, value->length);
	return arena_printf(arena, "%.*s/%.*s", (int)note->length, (const char *)note->bytes,
		(int)value->length, (const char *)value->bytes);
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length > end_length && !strcmp(text + length - end_length, end);
}

static bool is_for_debugging(const struct lookups *lookups, const char *path)
{
	return ends_in(path, ".debug") || ends_in(path, ".dwp") || ends_in(path, ".dwo") ||
	       debug_needs_below(lookups->options.unwind, path);
}

static const char *result_of(const struct call *call)
{
	const char *name;

	if (call->result == CALL_SUCCESS)
		return "found";
	name = call->result == CALL_ERROR ? errno_name(call->error) : NULL;
	return name ? name : "no result";
}

// What was opened may be an ELF file that somebody wants to debug.
static void add_opened(struct lookups *lookups, const struct call *call, const char *path)
{
	const struct value_note *note = path_note(call->ret);

	if (call->result != CALL_SUCCESS || !call->ret || call->ret->role != ROLE_FD)
		return;
	if (note)
		path = arena_strndup(&lookups->log.arena, (const char *)note->bytes, note->length);
	lookup_log_opened(&lookups->log, path);
}

static void lookups_call_end(struct output *output, const struct event *event)
{
	struct lookups *lookups = (struct lookups *)output;
	const struct call *call = event->call;

	for (unsigned i = 0; i < call->arg_count; i++) {
		const char *path = path_of(&lookups->log.arena, call, i, target_of(call->args[i]));
		struct lookup_try try = {.path = path};

		if (!path)
			continue;
		add_opened(lookups, call, path);
		if (!is_for_debugging(lookups, path))
			continue;
		try.call = call->syscall && call->syscall->name ? call->syscall->name : "?";
		try.result = result_of(call);
		try.is_found = call->result == CALL_SUCCESS;
		lookup_log_add(&lookups->log, lookups->options.describer, &try, event);
	}
}

static void lookups_finish(struct output *output)
{
	struct lookups *lookups = (struct lookups *)output;
	struct buf text = {0};

	lookup_report(&text, &lookups->log, lookups->options.unwind);
	sink_write(lookups->sink, text.data, text.length);
	buf_deinit(&text);
	lookup_log_deinit(&lookups->log);
	free(lookups);
}

const struct output_format explain_lookups_format = {
	.name = "lookups",
	.create = lookups_create,
	.call_end = lookups_call_end,
	.finish = lookups_finish,
};
