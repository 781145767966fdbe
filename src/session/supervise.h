// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SUPERVISE_H
#define SRC_SESSION_SUPERVISE_H

/**
 * Leaving a command that has a seccomp filter: the process that traces it stays, the one
 * that the user sees does not (trace/supervisor.h). Without a filter there is only one process,
 * and nothing here does anything.
 */

#include <stdbool.h>

#include "trace/supervisor.h"

struct error;
struct session_options;
struct session_result;

/** Zero-initialised: we are one process. */
struct session_supervise {
	struct supervisor supervisor;
	/** We are the process that the user sees, and it is time to end. */
	bool is_supervisor;
};

/**
 * Becomes two processes if the command is to have a filter, and fills supervisor_pid. In the
 * supervisor this returns at the end of the other: is_supervisor is set, and *@ret says how to
 * end.
 */
struct error *session_supervise_split(struct session_supervise *leave,
	struct session_options *options, struct session_result *ret);
/** After session_run(): if tasks are left, no limit ends us, and nobody who does not read. */
void session_supervise_begin(const struct session_result *result);
/**
 * After everything was written and closed. If tasks are left, the supervisor ends with @code or
 * as *@result says, and this returns when they have ended.
 */
void session_supervise_end(const struct session_supervise *leave,
	const struct session_options *options, const struct session_result *result, int code);

#endif
