// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_RESIDUAL_TRACER_H
#define SRC_TRACE_RESIDUAL_TRACER_H

/**
 * A tracer for tasks that carry our seccomp filter and are not to be traced: those that are not
 * followed, and those left when tracing ends. A filter stays for the life of a task, and its
 * stops fail with ENOSYS without a tracer; so one remains, resumes every stop at once and shows
 * nothing.
 */

#include <stdbool.h>

/** The tasks left whose interrupted call has to be repaired at its end (interrupt_restart.c). */
struct residual_tracer;

void residual_destroy(struct residual_tracer *residual);
/** Lets a task that stopped with wait @status go on; it stops only where its filter says so. */
void residual_resume(int tid, int status);
/** Whether any task is traced by us. */
bool residual_any(void);
/** Serves what is traced until nothing is, but at most @milliseconds; negative: no limit. */
void residual_serve(struct residual_tracer *residual, int milliseconds);
/**
 * Serves until the command that was started has ended, as *@status_ret says; false if it had
 * ended before.
 */
bool residual_serve_command(struct residual_tracer *residual, int *status_ret);

#endif
