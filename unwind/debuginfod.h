// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUGINFOD_H
#define UNWIND_DEBUGINFOD_H

/**
 * Debug files from servers (debuginfod(8)), fetched by a process of its own so that
 * nobody here ever waits for a network. Requests are answered later; what one asks for
 * is checked before it is believed. Knows nothing of modules.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/lookup_failure.h"

struct debuginfod;
struct error;

struct debuginfod_options {
	/** Separated by white space. */
	const char *urls;
	/** Where files are kept; NULL: where libdebuginfod keeps them. */
	const char *cache;
	/** A server that sends nothing for so long has failed. In seconds; 0: 10. */
	unsigned silence_most;
	/** For all requests together. In seconds; 0: 60. */
	unsigned time_most;
	/** Called with a line for the user while something takes its time; may be NULL. */
	void (*progress)(void *context, const char *line);
	void *context;
};

/** Starts the process. SIGCHLD is sent to us whenever an answer arrives. */
struct error *debuginfod_start(const struct debuginfod_options *options, struct debuginfod **ret);
/** Ends it, with what it is doing; NULL is allowed. */
void debuginfod_stop(struct debuginfod *debuginfod);

/** Asks for the debug file with build-id @id; @label says to the user what for. */
size_t debuginfod_request(
	struct debuginfod *debuginfod, const uint8_t *id, size_t size, const char *label);

/** What came of a request. */
struct debuginfod_answer {
	/** Where the file is; NULL if there is none. */
	const char *path;
	/** What was asked in vain. */
	const struct lookup_failure *failures;
	size_t failure_count;
};

/** False while request @number is under way. The answer belongs to @debuginfod. */
bool debuginfod_poll(struct debuginfod *debuginfod, size_t number, struct debuginfod_answer *ret);
/**
 * Waits a moment for news. If one of the usual signals asks us to end, all requests are given
 * up.
 */
void debuginfod_wait(struct debuginfod *debuginfod);
/** Whether there was an answer since this was asked the last time. */
bool debuginfod_has_news(struct debuginfod *debuginfod);
/** Gives up all that is under way. */
void debuginfod_cancel(struct debuginfod *debuginfod);

#endif
