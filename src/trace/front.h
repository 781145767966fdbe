// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_FRONT_H
#define SRC_TRACE_FRONT_H

/**
 * A traced command with a seccomp filter must never be without its tracer (see
 * trace/seccomp.h), whatever happens to the process that the user sees and may end, even by
 * SIGKILL. So that process, the front, only waits, passes signals on and ends as it is told;
 * its child does the tracing and stays as long as any task carries the filter.
 *
 * The child is in a process group of its own: what a terminal sends reaches it through the
 * front only. The command belongs into the front's group.
 */

#include <stdbool.h>

struct error;

struct front {
	/** The process the user sees. */
	int pid;
	/** What the front is told is written here. */
	int pipe;
};

/** How a process ends: by @signal if that is not 0. */
struct front_end {
	int status;
	int signal;
};

/**
 * Forks. *@is_front_ret says on which side we are: the child goes on at once; the front
 * comes back only when it is to end, as *@end_ret says. Besides the signals that ask us to
 * end it passes on @asking_signal, unless that is 0.
 */
struct error *front_split(
	int asking_signal, struct front *ret, bool *is_front_ret, struct front_end *end_ret);
/** In the child: the front ends now, while we still have something to do. */
void front_dismiss(const struct front *front, const struct front_end *end);
/** In the child: the front is gone. A SIGURG tells when that happens. */
bool front_is_gone(int front_pid);

#endif
