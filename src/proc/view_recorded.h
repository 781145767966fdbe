// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_VIEW_RECORDED_H
#define SRC_PROC_VIEW_RECORDED_H

/**
 * A task as a test wrote it down: blocks of memory, descriptors, a working
 * directory. What is not there is unreadable, as in a live task.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/taddr.h"
#include "proc/fd_detail.h"
#include "proc/view.h"

struct recorded_block {
	taddr address;
	unsigned char *data;
	size_t size;
};

struct recorded_fd {
	int fd;
	char *path;
	bool deleted;
};

struct view_recorded {
	/** What the decoder gets. */
	struct view view;
	ARRAY(struct recorded_block) blocks;
	ARRAY(struct recorded_fd) fds;
	/** NULL if unknown; owned. */
	char *cwd;
	int tid;
	/** The descriptor that has details, and these; -1: none has. */
	int detail_fd;
	struct fd_detail detail;
	/** The descriptor that is a netlink socket, and its protocol; -1: there is none. */
	int netlink_fd, netlink_protocol;
};

/** A task without memory and descriptors. */
void view_recorded_init(struct view_recorded *recorded);
void view_recorded_deinit(struct view_recorded *recorded);
/** Puts a copy of @size bytes at @address, over what may be there. */
void view_recorded_store(
	struct view_recorded *recorded, taddr address, const void *data, size_t size);
/** Descriptor @fd refers to @path, as the link in /proc reads. */
void view_recorded_open(struct view_recorded *recorded, int fd, const char *path, bool deleted);
void view_recorded_chdir(struct view_recorded *recorded, const char *path);

#endif
