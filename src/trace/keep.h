// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_KEEP_H
#define SRC_TRACE_KEEP_H

/**
 * Tracing without looking: tasks run on as if nobody traced them. That is for tasks that
 * carry our filter but are nobody's business: those that are not followed, and those that
 * are left behind when the tracer ends.
 */

#include <stdbool.h>

/** Lets a task that stopped with wait @status go on; it stops only where its filter says so. */
void keep_resume(int tid, int status);
/** Whether any task is traced by us. */
bool keep_any(void);
/** Serves what is traced until nothing is, but at most @milliseconds; negative: no limit. */
void keep_serve(int milliseconds);

#endif
