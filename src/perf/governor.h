// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_GOVERNOR_H
#define SRC_PERF_GOVERNOR_H

/**
 * Makes a task wait for us before its page faults fill the ring: an event of its own
 * sends the task a signal after every so many faults of its code, and the signal stops a
 * traced task at once. The tracer takes the signal away again (governor_is_ours()).
 *
 * The signal is SIGURG: whoever gets it by accident ignores it, so nothing happens
 * even if the tracer is killed at the wrong moment. Faults in the kernel send none: a
 * call under way would notice. A task that blocks SIGURG does not wait.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/** Zero-initialise. */
struct governor {
	/** Faults that all tasks together may have before one waits; 0 means they never do. */
	size_t budget;
	/** Only faults that wait for a disk count. */
	bool major_only;
	/** What is left of the budget for one of as many tasks as there are, rounded. */
	uint64_t period;
	/** tid to descriptor + 1, and all descriptors there ever were. */
	struct hash tasks;
	struct hash descriptors;
};

void governor_deinit(struct governor *governor);
/** Task @tid, which is traced, has to wait from now on. A failure leaves it as it is. */
void governor_add(struct governor *governor, int tid);
void governor_remove(struct governor *governor, int tid);
/** The task's number is another one now. */
void governor_rename(struct governor *governor, int former_tid, int tid);
/** No task needs to wait any more; signals under way are still known. */
void governor_release(struct governor *governor);
/** Whether the signal is one of these and nothing to the task. */
bool governor_is_ours(const struct governor *governor, const siginfo_t *info);

#endif
