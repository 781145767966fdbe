// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_URING_H
#define SRC_PROC_URING_H

/**
 * What waits in the submission queue of an io_uring: read from the ring's fdinfo
 * (Linux 6.0 and later lists it) and the task's mapping of its entries.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"

enum {
	URING_ENTRIES_MAX = 256,
};

struct uring {
	/** The kernel takes entries by itself: what it took cannot be seen. */
	bool polled;
	/** Addresses of the entries in the task, in the order of submission. */
	taddr entries[URING_ENTRIES_MAX];
	unsigned count;
};

/** False if descriptor @fd of @tid is no ring or its queue cannot be read. */
bool uring_read(int tid, int fd, struct uring *ret);

#endif
