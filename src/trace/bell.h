// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_BELL_H
#define SRC_TRACE_BELL_H

/**
 * To wait for a traced task, but no longer than until a signal comes. To wait for SIGCHLD
 * instead, and then ask who stopped, needs no care, but costs a tenth more per stop: a signal
 * has to be made, queued and taken. So SIGCHLD is not sent for stops, and whoever wants the
 * wait to end sends one (timers, other threads). It may come right before the wait begins: then
 * the handler, who sees where the thread was interrupted, makes it return at once. So none is
 * missed, and no task's status is lost.
 *
 * For one thread of the process; SIGCHLD must be blocked in all others.
 */

#include <stdbool.h>

enum bell_rung {
	BELL_SILENT,
	/** By anybody. */
	BELL_RUNG,
	/** By a timer, and maybe others. */
	BELL_BEAT,
};

/** From now on SIGCHLD rings. It was blocked; other system calls go on after it. */
void bell_hang_up(void);
/**
 * Blocks SIGCHLD again, with its default action. False if it did not ring anyway.
 */
bool bell_take_down(void);
/**
 * As wait4(-1, @status_ret, __WCLONE, NULL), which only traced tasks match. -1 with EINTR if it
 * rings or has rung since bell_take(); with ECHILD if there is no traced task.
 */
int bell_wait(int *status_ret);
/**
 * As ptrace(PTRACE_SEIZE, @tid, NULL, @options), which waits if the task's process is executing a
 * program: perhaps for the end of a thread that we trace, which we must see first. False with
 * EINTR as above.
 */
bool bell_seize(int tid, unsigned long options);
/** Whether it has rung since bell_take(). */
bool bell_has_rung(void);
/** Whether and how it has rung; it is silent again. */
enum bell_rung bell_take(void);

#endif
