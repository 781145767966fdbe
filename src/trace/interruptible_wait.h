// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_INTERRUPTIBLE_WAIT_H
#define SRC_TRACE_INTERRUPTIBLE_WAIT_H

/**
 * Waits (wait4, PTRACE_SEIZE) that a signal interrupts without the EINTR race: a signal that
 * arrives right before the system call instruction would otherwise be handled and forgotten,
 * and the call would sleep (pselect(2) exists for that reason; there is no such wait4). The
 * SIGCHLD handler looks at the interrupted program counter: in the few instructions between the
 * test of the flag and the call it moves it to the code that returns EINTR.
 *
 * Sleeping in sigwaitinfo() for SIGCHLD and asking then who stopped needs no such care, but
 * costs a tenth more per stop: the kernel makes, queues and delivers a signal. Here stops send
 * none (SA_NOCLDSTOP); timers and other threads send one to end the wait.
 *
 * For one thread of the process; SIGCHLD must be blocked in all others.
 */

#include <stdbool.h>

enum interruptible_cause {
	INTERRUPTIBLE_NO_SIGNAL,
	/** Sent by anybody. */
	INTERRUPTIBLE_SIGNAL,
	/** Sent by a timer, and maybe by others. */
	INTERRUPTIBLE_TIMER,
};

/** Unblocks SIGCHLD, which from now on interrupts; other system calls are restarted after it. */
void interruptible_begin(void);
/**
 * Blocks SIGCHLD again, with its default action. False if it was not unblocked.
 */
bool interruptible_end(void);
/**
 * The signal handler calls @call (NULL: nothing) with @context whenever a timer's SIGCHLD comes:
 * only what is async-signal-safe may be done there.
 */
void interruptible_on_beat(void (*call)(void *context), void *context);
/**
 * As wait4(-1, @status_ret, __WCLONE, NULL), which only traced tasks match. -1 with EINTR if a
 * SIGCHLD comes or has come since interruptible_take(); with ECHILD if no task is traced.
 */
int interruptible_wait(int *status_ret);
/**
 * As ptrace(PTRACE_SEIZE, @tid, NULL, @options), which waits if the task's process is executing a
 * program: perhaps for the end of a thread that we trace, which we must see first. False with
 * EINTR as above.
 */
bool interruptible_seize(int tid, unsigned long options);
/** Whether a SIGCHLD has come since interruptible_take(). */
bool interruptible_is_interrupted(void);
/** Whether a SIGCHLD has come, and whose; it is forgotten by that. */
enum interruptible_cause interruptible_take(void);

#endif
