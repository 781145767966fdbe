// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_DEBUGINFOD_START_H
#define SRC_SESSION_DEBUGINFOD_START_H

/** --debuginfod: servers that are asked for debug files while the tasks run on. */

#include <stdbool.h>

struct debuginfod;
struct error;
struct session;
struct session_options;

struct debuginfod_start_options {
	/** Separated by white space; NULL: no network is asked. */
	const char *urls;
	/** In seconds; 0: as unwind/debuginfod.h says. */
	unsigned silence_most, time_most;
};

/** Starts asking if that is wanted; *@ret is NULL if not. @options must outlive it. */
struct error *debuginfod_start_asking(
	const struct session_options *options, struct debuginfod **ret);
/** What waits for debug files is shown as far as they are there; with @wait, all of it. */
void session_flush_pending(struct session *session, bool wait);

#endif
