// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_RINGS_H
#define SRC_SESSION_RINGS_H

/** Numbers that threads give to their rings of io_uring, from the calls that do it. */

struct session_task;

/** A call with FACT_NUMBERS_RINGS has succeeded with @result. */
void session_rings_changed(struct session_task *task, long long result);

#endif
