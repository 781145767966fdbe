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

/** At the end of a run: one line if something is missing and no report was asked for. */
void session_explain_end(struct session *session);

/**
 * Without tracing: prints the report for the processes of @options->pids and for @files, NULL
 * or ended by NULL, to standard output.
 */
struct error *explain_alone(const struct session_options *options, char *const *files);

#endif
