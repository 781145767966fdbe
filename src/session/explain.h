// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_EXPLAIN_H
#define SRC_SESSION_EXPLAIN_H

/**
 * Says why names and lines are missing: of the modules that were in stacks, of a
 * running process, of files.
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct session;
struct session_options;

struct explain_options {
	/** --explain-symbols was given. */
	bool enabled;
	/** Only for this module; NULL: for all. */
	const char *module;
};

/** At the end of a run: the report if it was asked for, else one line if something is missing. */
void session_explain_end(struct session *session);
/** SIGUSR1: the report for the modules seen so far. */
void session_explain_now(struct session *session);

/**
 * Without tracing: prints the report for the processes of @options->pids and for @files, NULL
 * or ended by NULL, to standard output.
 */
struct error *explain_alone(const struct session_options *options, char *const *files);

#endif
