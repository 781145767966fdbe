// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_LEAVE_H
#define SRC_SESSION_LEAVE_H

/**
 * Leaving a command that has a seccomp filter: the process that traces it stays, the one
 * that the user sees does not (trace/front.h). Without a filter there is only one process,
 * and nothing here does anything.
 */

#include <stdbool.h>

#include "trace/front.h"

struct error;
struct session_options;
struct session_result;

/** Zero-initialised: we are one process. */
struct session_leave {
	struct front front;
	/** We are the process that the user sees, and it is time to end. */
	bool is_front;
};

/**
 * Becomes two processes if the command is to have a filter, and fills front_pid. In the
 * front this returns with is_front at the end of the other, and with how to end in *@ret.
 */
struct error *session_leave_split(
	struct session_leave *leave, struct session_options *options, struct session_result *ret);
/** After session_run(): if tasks are left, no limit ends us, and nobody who does not read. */
void session_leave_begin(const struct session_result *result);
/**
 * After everything was written and closed. If tasks are left, the front ends with @code or
 * as *@result says, and this returns when they have ended.
 */
void session_leave_end(const struct session_leave *leave, const struct session_options *options,
	const struct session_result *result, int code);

#endif
