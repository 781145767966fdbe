// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_FD_WATCH_H
#define SRC_SESSION_FD_WATCH_H

/**
 * With -P and a seccomp filter: in which processes calls with descriptors and mapped memory
 * have to stop. As long as a process has no descriptor and no mapping of what is asked for,
 * only calls that carry a path, or by which a descriptor may arrive, can matter, and only
 * they stop.
 *
 * Threads share descriptors. When the first that matters comes, the task that gets it is at the
 * exit of its call, and nobody knows the number yet; before it goes on, all threads that run
 * are interrupted, and so stop at their next call (what becomes of the one they are in:
 * trace/interrupt_restart.c). Only who uses the number by chance, before the call that makes
 * it has returned, is not seen. To be interrupted costs each thread two stops or more, so
 * this is done so many times; from then on the process is watched until it executes another
 * program.
 *
 * Watched for good are also processes to which descriptors may come without a call (io_uring,
 * fanotify), those that share descriptors or memory with another process (parents and
 * children of vfork() only once one of them has mapped what is asked for), those whose threads do
 * not share all of their descriptors, and without -f those with threads.
 *
 * With any seccomp filter of ours, be it not for -P: a process that has one of its own stops at
 * all calls, as do those it creates. The kernel asks all filters, and obeys the one that refuses
 * the call, lets a signal come or somebody else decide; ours it would not obey.
 */

#include <stdbool.h>
#include <stdint.h>

#include "filter/prefilter.h"

struct seccomp_traps;
struct session;
struct session_source;
struct session_task;
struct stop;
struct stop_syscall;

/** Of the run; zero-initialised, nothing is watched. */
struct fd_watch {
	/** Whose tasks may have a seccomp filter; NULL: there is no such source. */
	struct session_source *source;
	/** Every process is watched. */
	bool everything;
	/** Some process has a seccomp filter of its own. */
	bool refuses;
	/** How often something may have come to the place of what is asked for. */
	uint64_t moves;
	/** A task that is not followed shares root and directories with one that is. */
	bool shares_roots;
};

/** Of a process. */
struct fd_watch_process {
	/** For good: until it executes a program. */
	bool is_on, for_good;
	/** It has a seccomp filter of its own. */
	bool refuses;
	/** Threads were created since it executed its program. */
	bool threaded;
	/** How often something came while it was so. */
	unsigned arrivals;
	/** It was looked at when fd_watch.moves was this. */
	uint64_t moves;
};

/** At every stop, after it was handled. */
void fd_watch_stop(struct session *session, struct session_task *task, const struct stop *stop);
/** What can be said of a call before it is decoded. */
enum prefilter_verdict fd_watch_prefilter(
	struct session *session, struct session_task *task, const struct stop_syscall *entry);
/** Before a call is handled; true if its exit has to be seen. */
bool fd_watch_entry(struct session *session, struct session_task *task);
/** After a call was handled: @matched says that it has to do with what is asked for. */
void fd_watch_exit(
	struct session *session, struct session_task *task, const struct stop *stop, bool matched);

#endif
