// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "event/event.h"
#include "session/state.h"

bool message_is_new(struct messages *messages, enum message message)
{
	bool is_new = !(messages->said & message);

	messages->said |= message;
	return is_new;
}

// As output/quote.h does, but what was quoted before stays as it is.
static void put_safe(struct buf *line, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c < ' ' || *c > '~')
			buf_printf(line, "\\%03o", *c);
		else
			buf_char(line, (char)*c);
	}
}

void message_say(const char *format, ...)
{
	cleanup_free char *text = NULL;
	struct buf line = {0};
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = xstrdup(format);
	va_end(args);
	put_safe(&line, text);
	fprintf(stderr, "%s: %s\n", program_invocation_name, buf_text(&line));
	buf_deinit(&line);
}

void message_report(const char *text, size_t length)
{
	fwrite(text, 1, length, stderr);
}

void message_note(struct session *session, const char *text)
{
	struct event event = {.kind = EVENT_NOTE, .text = text};

	clock_gettime(CLOCK_REALTIME, &event.wall);
	clock_gettime(CLOCK_MONOTONIC, &event.monotonic);
	outputs_event(&session->outputs, &event);
}
