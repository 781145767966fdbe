// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_MOUNTS_H
#define SRC_PROC_MOUNTS_H

/**
 * The mounts a task sees (proc_pid_mountinfo(5)), and the names one place in a file
 * system has by them: each mount shows a part of a file system, from its root down,
 * at its mount point. Names are taken apart and put together as text here; nothing
 * is looked up.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/buf.h"

struct mount {
	uint64_t id, parent;
	uint32_t major, minor;
	/** The directory (or file) in the file system that is mounted, and where. Owned. */
	char *root, *point;
};

/** Zero-initialised is empty. */
struct mounts {
	ARRAY(struct mount) list;
	/** Tells when they change; -1 or 0 if it is not watched. */
	int watch;
};

/**
 * The mounts seen by @tid, or by us if it is 0. Mount points are those of the task, so
 * below its root; in a chroot the one that the root lies in may be missing. Replaces what
 * was there; false if they cannot be read.
 */
bool mounts_read(struct mounts *mounts, int tid);
/** The same from a text in the format of mountinfo. */
void mounts_parse(struct mounts *mounts, const char *text);
void mounts_deinit(struct mounts *mounts);
/** Adds the mount that the root lies in: the root is directory @place of its file system. */
void mounts_add_root(
	struct mounts *mounts, uint64_t id, uint32_t major, uint32_t minor, const char *place);
/** Whether the mount of the root is among them. */
bool mounts_have_root(const struct mounts *mounts);
/** Whether they have changed since mounts_read(). */
bool mounts_changed(const struct mounts *mounts);

/** The mount with @id, or NULL. */
const struct mount *mounts_find(const struct mounts *mounts, uint64_t id);
/** The mount that the absolute, clean @name lies in, by its spelling; NULL if there is none. */
const struct mount *mounts_of_name(const struct mounts *mounts, const char *name);
/** Whether one file system is to be seen in more than one place. */
bool mounts_overlap(const struct mounts *mounts);

/**
 * Appends the path within the file system of @name, which lies in @mount; false if it
 * does not.
 */
bool mount_inner(struct buf *buf, const struct mount *mount, const char *name);
/**
 * Appends the name by which @mount shows the path @inner of its file system; false if
 * it does not show it.
 */
bool mount_outer(struct buf *buf, const struct mount *mount, const char *inner);
/** Whether both show the same file system. */
bool mount_same_device(const struct mount *a, const struct mount *b);

/** What follows the directory @above in @name ("" or "/…"); NULL if it is not below. */
const char *path_below(const char *above, const char *name);

#endif
