// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_SCHEDSTAT_H
#define SRC_PROC_SCHEDSTAT_H

/**
 * The kernel's account of a task: /proc/TID/schedstat
 * (Documentation/scheduler/sched-stats.rst). It is exact for a task that is stopped. To open
 * the file costs four times what reading it does, so some are kept open.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	SCHEDSTAT_KEPT = 64,
};

struct schedstat_pool {
	struct {
		/** 0: none. */
		int tid;
		int file;
	} kept[SCHEDSTAT_KEPT];
};

struct schedstat {
	/** Nanoseconds on a processor, and ready to run but without one. */
	uint64_t ran, waited;
	/** How often it got a processor. */
	uint64_t runs;
};

/** Zero-initialised is empty. */
void schedstat_pool_deinit(struct schedstat_pool *pool);
/** False if the task is gone, or the kernel keeps no account. */
bool schedstat_read(struct schedstat_pool *pool, int tid, struct schedstat *ret);

#endif
