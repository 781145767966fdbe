// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_VIEW_H
#define SRC_PROC_VIEW_H

/**
 * A task as the decoder sees it: memory, descriptors, names. Live (view_live) or
 * recorded (view_recorded); whoever holds a view cannot tell which.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/taddr.h"

struct arena;
struct fd_detail;
struct uring;
struct view;

struct view_ops {
	/**
	 * Copies up to @size bytes at @address; returns how many could be read: a
	 * shorter count means the next byte is unreadable.
	 */
	size_t (*read)(struct view *view, taddr address, void *data, size_t size);
	/**
	 * What descriptor @fd refers to, as the link in /proc/PID/fd reads
	 * ("/etc/passwd", "socket:[77]", "/tmp/x (deleted)"), in @arena, NUL-terminated;
	 * NULL if there is no such descriptor.
	 */
	const char *(*fd_path)(struct view *view, struct arena *arena, int fd);
	/** Whether the file behind the descriptor is deleted (not only named so). */
	bool (*fd_deleted)(struct view *view, int fd);
	/**
	 * What is behind descriptor @fd, whose path is @link, if that is one of the kinds @wanted
	 * (enum fd_detail_kind).
	 */
	bool (*fd_detail)(struct view *view, int fd, const char *link, unsigned wanted,
		struct fd_detail *ret);
	/**
	 * The command name of thread or process @pid, as the task numbers them, in @arena; NULL if
	 * there is none, or the task counts in another namespace than we.
	 */
	const char *(*comm)(struct view *view, struct arena *arena, int pid);
	/** The task's working directory, in @arena; NULL if unknown. */
	const char *(*cwd)(struct view *view, struct arena *arena);
	/** The thread that is looked at. */
	int (*tid)(struct view *view);
	/**
	 * The ring that is descriptor @fd, or has that number of its own if it @is_number; false
	 * if there is none. uring_deinit() frees what was read in any case.
	 */
	bool (*uring)(struct view *view, int fd, bool is_number, struct uring *ret);
	/** The protocol (NETLINK_ROUTE is 0) of netlink socket @fd; -1 if it is none. */
	int (*netlink_protocol)(struct view *view, int fd);
};

struct view {
	const struct view_ops *ops;
	/** Memory was read or a descriptor looked up; whoever wants to know sets it to false. */
	bool was_asked;
};

static inline size_t view_read(struct view *view, taddr address, void *data, size_t size)
{
	view->was_asked = true;
	return view->ops->read(view, address, data, size);
}

static inline const char *view_fd_path(struct view *view, struct arena *arena, int fd)
{
	view->was_asked = true;
	return view->ops->fd_path(view, arena, fd);
}

static inline bool view_fd_deleted(struct view *view, int fd)
{
	return view->ops->fd_deleted(view, fd);
}

static inline bool view_fd_detail(
	struct view *view, int fd, const char *link, unsigned wanted, struct fd_detail *ret)
{
	return view->ops->fd_detail(view, fd, link, wanted, ret);
}

static inline const char *view_comm(struct view *view, struct arena *arena, int pid)
{
	return view->ops->comm(view, arena, pid);
}

static inline const char *view_cwd(struct view *view, struct arena *arena)
{
	return view->ops->cwd(view, arena);
}

static inline bool view_uring(struct view *view, int fd, bool is_number, struct uring *ret)
{
	return view->ops->uring(view, fd, is_number, ret);
}

static inline int view_netlink_protocol(struct view *view, int fd)
{
	view->was_asked = true;
	return view->ops->netlink_protocol(view, fd);
}

static inline int view_tid(struct view *view)
{
	return view->ops->tid(view);
}

#endif
