// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_VIEW_LIVE_H
#define SRC_PROC_VIEW_LIVE_H

/** A view of a living, stopped task. */

#include "proc/mem.h"
#include "proc/netlink_socket.h"
#include "proc/uring_numbers.h"
#include "proc/view.h"

struct uring_forms;

struct view_live {
	struct view view;
	struct mem mem;
	/** Whoever sees the task get or give back one keeps them true. */
	struct uring_numbers rings;
	struct netlink_sockets netlinks;
	/** Not owned. */
	const struct uring_forms *forms;
};

/** @forms: of all rings, for as long as the view. */
void view_live_init(struct view_live *live, int tid, const struct uring_forms *forms);
void view_live_deinit(struct view_live *live);

#endif
