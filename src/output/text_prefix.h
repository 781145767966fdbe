// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_PREFIX_H
#define SRC_OUTPUT_TEXT_PREFIX_H

/** What stands before every line: whose it is and when it happened. */

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "output/output.h"

struct buf;
struct event;

/** Zero-initialise, then set the first two members. */
struct text_prefix {
	/** Outlives this. */
	const struct output_options *options;
	/** "1234  " on every line, as against "[pid  1234] " while there are several tasks. */
	bool pid_always;
	/** How many tasks are traced. */
	size_t tasks;
	/** The line before, for -r. */
	struct timespec last;
	bool has_last;
	/** The second that @clock_text shows. */
	time_t second;
	char clock_text[16];
};

/** For a line about @event, @later than its time. */
void text_prefix_append(struct text_prefix *prefix, struct buf *buf, const struct event *event,
	struct timespec later);

/** Only the part that says whose line it is, if lines have that; @comm may be NULL. */
void text_prefix_pid(const struct text_prefix *prefix, struct buf *buf, int tid, const char *comm);

/** "SECONDS" or "SECONDS.FRACTION", the seconds at least @width wide. */
void put_seconds(struct buf *buf, struct timespec time, int width, output_digits digits);

/** @a + @b, normalised. */
struct timespec timespec_add(struct timespec a, struct timespec b);

#endif
