// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "stack_compare.h"

/** @name without template arguments: gdb and linker spell them differently. */
static void cut_templates(struct buf *to, const char *name)
{
	int depth = 0;

	for (const char *at = name; *at; at++) {
		if (*at == '<')
			depth++;
		if (!depth)
			buf_char(to, *at);
		if (*at == '>' && depth)
			depth--;
	}
}

static void cut_end(char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	if (length > end_length && !strcmp(text + length - end_length, end))
		text[length - end_length] = '\0';
}

/** A demangled name without parameters, return type and suffixes, as gdb shows names. */
static char *plain_name(const char *name)
{
	struct buf text = {0};
	char *plain, *start, *mark;
	int depth = 0;

	cut_templates(&text, name);
	plain = xstrdup(buf_text(&text));
	buf_deinit(&text);
	mark = strstr(plain, " [clone");
	if (mark)
		*mark = '\0';
	cut_end(plain, " const");
	start = plain;
	mark = plain + strlen(plain);
	if (mark > plain && mark[-1] == ')') {
		do {
			mark--;
			depth += *mark == ')';
			depth -= *mark == '(';
		} while (depth);
		*mark = '\0';
		// The parentheses were the operator's name.
		if (mark - plain >= 8 && !strcmp(mark - 8, "operator"))
			strcpy(mark, "()");
	}
	for (char *at = plain; *at; at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (*at == ' ' && !depth)
			start = at + 1;
	}
	memmove(plain, start, strlen(start) + 1);
	return plain;
}

void list_deinit(struct list *list)
{
	array_for_each (line, &list->lines)
		free(*line);
	array_deinit(&list->lines);
}

void list_ours(struct list *list, struct walked *walked)
{
	for (size_t i = 0; i < walked->stack.count; i++) {
		const struct unwind_frame *frame = &walked->stack.frames[i];
		const struct unwind_description *description =
			unwind_describe(walked->context, frame);

		if (frame->is_signal_frame) {
			*array_add(&list->lines) = xstrdup("signal handler:0");
			continue;
		}
		for (size_t j = 0; j < description->count; j++) {
			const struct unwind_location *location = &description->locations[j];
			cleanup_free char *name =
				plain_name(location->function ? location->function : "??");

			*array_add(&list->lines) = xasprintf("%s:%u", name, location->line);
		}
	}
}

/** False without gdb. */
static bool list_gdb(struct list *list, pid_t task)
{
	const char *gdb = getenv("GDB"), *script = getenv("GDB_SCRIPT");
	cleanup_free char *command = NULL;
	char line[4096];
	FILE *pipe;

	if (!gdb || !*gdb)
		return false;
	command = xasprintf("DEBUGINFOD_URLS= timeout 50 %s -nx -batch -p %d -x %s 2>/dev/null",
		gdb, task, script);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		char *number = strrchr(line, '\t');
		struct buf name = {0};

		if (strncmp(line, "FRAME\t", 6) || number == line + 5)
			continue;
		*number = '\0';
		cut_templates(&name, line + 6);
		*array_add(&list->lines) = xasprintf("%s:%d", buf_text(&name), atoi(number + 1));
		buf_deinit(&name);
	}
	pclose(pipe);
	return list->lines.count > 0;
}

/**
 * The same function of a library at another line. In the innermost frame we look up the
 * system call instruction and gdb what is behind it, which is another line where the call is
 * inlined (glibc 2.41); and of several lines of one address gdb has its own choice. Of the
 * programs' own functions each line counts.
 */
static bool is_same_reserved_name(const char *a, const char *b)
{
	const char *end_a = strrchr(a, ':'), *end_b = strrchr(b, ':');

	return !strncmp(a, "__", 2) && end_a && end_b && end_a - a == end_b - b &&
	       !strncmp(a, b, (size_t)(end_a - a));
}

static bool is_without_line(const char *frame)
{
	size_t length = strlen(frame);

	return length > 2 && !strcmp(frame + length - 2, ":0") && strncmp(frame, "signal ", 7);
}

/** Up to main() only if @until_main: which of several symbols of one address is gdb's secret. */
static void compare(
	const char *what, const struct list *ours, const struct list *theirs, bool until_main)
{
	size_t count =
		ours->lines.count > theirs->lines.count ? ours->lines.count : theirs->lines.count;

	for (size_t i = 0; i < count; i++) {
		const char *a = i < ours->lines.count ? ours->lines.data[i] : "nothing";
		const char *b = i < theirs->lines.count ? theirs->lines.data[i] : "nothing";

		// Of several symbols of one address in the C library gdb has its own choice.
		if (until_main && is_without_line(a) && is_without_line(b))
			continue;
		if (is_same_reserved_name(a, b))
			continue;
		if (strcmp(a, b))
			fail_msg("%s, frame %zu: %s, expected %s", what, i, a, b);
		if (until_main && !strncmp(a, "main:", 5))
			break;
	}
}

void compare_with_gdb(const char *program, const char *mode)
{
	cleanup_free char *what = xasprintf("%s %s", program, mode ? mode : "");
	struct list ours = {0}, theirs = {0};
	struct waiting waiting;
	struct walked walked;

	if (!has_program(program))
		return;
	waiting = start(program, mode);
	walk(&walked, waiting.task, NULL);
	list_ours(&ours, &walked);
	assert_int_equal(walked.stack.end, FRAME_END_OUTERMOST);
	if (list_gdb(&theirs, waiting.task))
		compare(what, &ours, &theirs, strstr(program, "static"));
	else
		print_message("# gdb is missing or may not attach: %s not compared\n", what);
	stop(&waiting);
	drop(&walked);
	list_deinit(&ours);
	list_deinit(&theirs);
}

void expect(const char *program, const char *mode, enum frame_end end,
	const struct expected *expected, size_t count)
{
	struct waiting waiting;
	struct walked walked;

	if (!has_program(program))
		return;
	waiting = start(program, mode);
	walk(&walked, waiting.task, NULL);
	assert_int_equal(walked.stack.end, end);
	for (size_t i = 0, next = 0; i < walked.stack.count && next < count; i++) {
		const struct unwind_frame *frame = &walked.stack.frames[i];
		const struct unwind_description *description =
			unwind_describe(walked.context, frame);
		const char *name = description->locations[0].function;

		if (!name)
			name = frame->map_name;
		// What the C library has above read() is its own affair.
		if (!next && strcmp(name, expected[0].line))
			continue;
		assert_string_equal(name, expected[next].line);
		assert_int_equal(frame->origin, expected[next].origin);
		if (++next == count)
			assert_true(end == FRAME_END_OUTERMOST || i + 1 == walked.stack.count);
	}
	stop(&waiting);
	drop(&walked);
}
