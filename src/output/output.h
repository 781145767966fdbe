// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_OUTPUT_H
#define SRC_OUTPUT_OUTPUT_H

/**
 * The interface of a format, and the list of formats. A format gets events in the
 * order they happened and writes to a sink. To add one: a file with a
 * `struct output_format`, a line in output.c, doc/add-an-output-format.md.
 */

#include <stdbool.h>
#include <stddef.h>

#include "output/text_style.h"

struct event;
struct frame_describer;
struct output;
struct output_format;
struct sink;
struct unwind_context;

enum output_clock {
	OUTPUT_CLOCK_NONE,
	/** -t, -tt */
	OUTPUT_CLOCK_DAY,
	/** -ttt */
	OUTPUT_CLOCK_EPOCH,
};

/** Digits behind the point of a second: 0, 3, 6 or 9. */
typedef unsigned char output_digits;

enum output_stack {
	OUTPUT_STACK_NONE,
	/** ` > FILE(FUNCTION+0xOFF) [0xADDR]` */
	OUTPUT_STACK_SYMBOL,
	/** The same with ` SOURCE:LINE` and inlined calls. */
	OUTPUT_STACK_SOURCE,
};

struct output_options {
	enum output_clock clock;
	output_digits clock_digits;
	/** -r: the time since the line before; in parentheses behind a clock. */
	bool relative;
	/** The command name behind the id of a task (-Y). */
	bool comm;
	output_digits relative_digits;
	/** -T */
	bool duration;
	output_digits duration_digits;
	/** -v, -X, -x: how values are spelled. */
	struct text_style style;
	/** Lines carry the pid: always (-f with -o), else only when several tasks live. */
	bool pid_always;
	/** -n, -i: lines carry the number of the last call, and where the task stands. */
	bool call_number, instruction_pointer;
	/** Column of " = "; strace's default is 40. */
	unsigned align;
	enum output_stack stack;
	/** The lines of stacks in text carry the pid as the others do. */
	bool stack_pid;
	/** Describes frames; NULL without stacks. */
	const struct frame_describer *describer;
	/** What struct output_request says. */
	const void *own;
	/** For reports on what the unwinder missed, not for frames; NULL without stacks. */
	struct unwind_context *unwind;
};

/** What it costs time to find out: only done if an output asks for it. */
enum output_need {
	/** The @cpu of calls. */
	OUTPUT_NEEDS_CPU_TIME = 1 << 0,
	/** EVENT_SCHEDULED and EVENT_ACCOUNT. */
	OUTPUT_NEEDS_SCHEDULING = 1 << 1,
};

/** What an output begins with; each format has a struct of its own around it. */
struct output {
	const struct output_format *format;
	/** OUTPUT_NEEDS_*; set by create. */
	unsigned needs;
};

/** An output that is wanted. Everything is borrowed. */
struct output_request {
	const struct output_format *format;
	/** Options that only this format knows, see its header; or NULL. */
	const void *own;
};

/** Functions that a format has no use for may be NULL, except create and finish. */
struct output_format {
	/** As in --format=NAME. */
	const char *name;
	/** Programs read it: nobody else may write a line between its own. */
	bool is_structured;
	/** @sink is borrowed. Its @format is set by the caller. */
	struct output *(*create)(const struct output_options *options, struct sink *sink);
	/** The entry of a call is known; its values up to call->known are final. */
	void (*call_begin)(struct output *output, const struct event *event);
	/** A call that has begun still runs: what is known of it is shown now, with its stack. */
	void (*call_runs)(struct output *output, const struct event *event);
	/** The call ended, or will never be seen to end. Always after its call_begin. */
	void (*call_end)(struct output *output, const struct event *event);
	/** Everything but calls. A format ignores the kinds that it does not show. */
	void (*event)(struct output *output, const struct event *event);
	/** How many tasks are traced from now on (text shows [pid N] when there are several). */
	void (*tasks)(struct output *output, size_t count);
	/**
	 * News from servers: writes what waited for it; with @wait, all that waits, whenever
	 * the news come.
	 */
	void (*flush_pending)(struct output *output, bool wait);
	/** Writes what is still open and frees the output. */
	void (*finish)(struct output *output);
};

/** The format called @name, or NULL. */
const struct output_format *output_format_by_name(const char *name);
/** All formats, ended by NULL. */
const struct output_format *const *output_formats(void);

#endif
