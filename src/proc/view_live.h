// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_VIEW_LIVE_H
#define SRC_PROC_VIEW_LIVE_H

/** A view of a living, stopped task. */

#include "proc/mem.h"
#include "proc/uring_numbers.h"
#include "proc/view.h"

struct view_live {
	struct view view;
	struct mem mem;
	/** Whoever sees the task get or give back one keeps them true. */
	struct uring_numbers rings;
};

void view_live_init(struct view_live *live, int tid);
void view_live_deinit(struct view_live *live);

#endif
