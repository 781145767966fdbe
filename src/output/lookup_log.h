// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_LOOKUP_LOG_H
#define SRC_OUTPUT_LOOKUP_LOG_H

/** The tries of programs to find debug files, by the name of the file, with their stacks. */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/array.h"

struct event;
struct frame_describer;

/** One path, tried once or more with the same result by the same code. */
struct lookup_try {
	/** As the program spelled it. */
	const char *path;
	const char *call;
	/** "found", "ENOENT". */
	const char *result;
	bool is_found;
	/** Index of the code. */
	size_t code;
	unsigned count;
};

/** All tries for files of one name. */
struct lookup {
	const char *name;
	ARRAY(struct lookup_try) tries;
};

/** Code that tried something, as lines of text. */
struct lookup_code {
	const char *comm;
	const char *text;
};

/** Zero-initialised is empty and valid. Strings are in the arena. */
struct lookup_log {
	struct arena arena;
	ARRAY(struct lookup) lookups;
	ARRAY(struct lookup_code) codes;
	/** ELF files that were opened, each once. */
	ARRAY(const char *) opened;
};

void lookup_log_deinit(struct lookup_log *log);
/** @path is in the arena. */
void lookup_log_opened(struct lookup_log *log, const char *path);
/** Adds @try (its path in the arena) with the task and the stack of @event. */
void lookup_log_add(struct lookup_log *log, const struct frame_describer *describer,
	const struct lookup_try *try, const struct event *event);

#endif
