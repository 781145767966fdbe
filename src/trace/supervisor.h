// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_SUPERVISOR_H
#define SRC_TRACE_SUPERVISOR_H

/**
 * A traced command with a seccomp filter must never be without its tracer (see
 * trace/seccomp.h), whatever happens to the process that the user sees and may end, even by
 * SIGKILL. So that process is only a supervisor: it waits, forwards signals and ends as it is
 * told; its child does the tracing and stays as long as any task carries the filter.
 *
 * The child is in a process group of its own: what a terminal sends reaches it through the
 * supervisor only. The command belongs into the supervisor's group.
 */

#include <signal.h>
#include <stdbool.h>

struct error;

struct supervisor {
	/** The process the user sees. */
	int pid;
	/** How it is to end is written here. */
	int pipe;
};

/** How a process ends: by @signal if that is not 0. */
struct supervisor_end {
	int status;
	int signal;
};

/**
 * Forks. *@is_supervisor_ret says on which side we are: the child goes on at once; the
 * supervisor comes back only when it is to end, as *@end_ret says. Besides the signals that ask
 * us to end it forwards @asking_signal, unless that is 0.
 */
struct error *supervisor_split(int asking_signal, struct supervisor *ret, bool *is_supervisor_ret,
	struct supervisor_end *end_ret);
/**
 * Blocks the signals that somebody sends to the process group of the command, where we are too, and
 * that would end us: kill(0, SIGUSR1), an alarm. What faults of our own raise stays.
 */
void supervisor_add_group_signals(sigset_t *set);
/** Who sent a signal: through the supervisor it comes from there. 0: the kernel. */
int supervisor_sender(const siginfo_t *info, int supervisor_pid);
/** In the child: the supervisor ends now, while we still have something to do. */
void supervisor_dismiss(const struct supervisor *supervisor, const struct supervisor_end *end);
/**
 * In the child, before it stays alone: who reads what we wrote sees its end now, and no folder
 * is kept busy.
 */
void supervisor_let_go_of_files(void);
/** In the child: the supervisor has ended. A SIGURG tells when that happens. */
bool supervisor_is_gone(int supervisor_pid);

#endif
