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

/** Of those left behind, who was in a call that has to be put right (rouse.c) at its end. */
struct keep;

void keep_destroy(struct keep *keep);
/** Lets a task that stopped with wait @status go on; it stops only where its filter says so. */
void keep_resume(int tid, int status);
/** Whether any task is traced by us. */
bool keep_any(void);
/** Serves what is traced until nothing is, but at most @milliseconds; negative: no limit. */
void keep_serve(struct keep *keep, int milliseconds);

#endif
