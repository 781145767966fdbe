// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_RESOLVE_H
#define SRC_PROC_RESOLVE_H

/**
 * What a path or descriptor of a task stands for, found as the kernel finds it: from
 * the task's root, working directory or descriptor, in its mount namespace, through
 * symbolic links and those of /proc. The answer is an object and its name as seen
 * from here; what is wanted of it is the filter's business. A name in a mount
 * namespace that is not ours begins at that namespace's root.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/buf.h"
#include "proc/file_id.h"

struct task_fs;

enum resolve_flag {
	/** A symbolic link as the last part is the object itself. */
	RESOLVE_NOFOLLOW = 1 << 0,
	/** The directory it starts at is its root: openat2(RESOLVE_IN_ROOT). */
	RESOLVE_ROOTED = 1 << 1,
};

struct resolver {
	/** Our root. */
	struct file_id root;
	/** /proc/self/fd. */
	int own_fds;
	/** Descriptors of the last answers. */
	ARRAY(int) pending;
	/** Texts of the last answer. */
	struct buf text;
	/** Where in @text the links of the last answer begin. */
	ARRAY(size_t) links;
	/** Parts of the name that are still to be walked. */
	char *rest;
};

/** Everything in it is good until the resolver is used again. */
struct resolved {
	/**
	 * The object (O_PATH) or, if it does not exist, the last directory on the way to it;
	 * -1: what @link in /proc leads to.
	 */
	int fd;
	char link[64];
	bool exists;
	/** Absolute, single slashes, no dots; or whatever /proc says of it ("pipe:[7]"); or "". */
	const char *name;
	/** It has no name any more; @name is the one it had. */
	bool deleted;
	size_t link_count;
};

void resolver_init(struct resolver *resolver);
void resolver_deinit(struct resolver *resolver);

/**
 * What @path means to the task of @fs; @dirfd is a descriptor of the task or AT_FDCWD.
 * False if it cannot be told where the path begins. @flags: RESOLVE_*.
 */
bool resolve_path(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *path,
	unsigned flags, struct resolved *ret);
/**
 * The same from a directory @base of ours (O_PATH), which is not one of the resolver's.
 */
bool resolve_from(struct resolver *resolver, struct task_fs *fs, int base, const char *path,
	unsigned flags, struct resolved *ret);
/** What descriptor @fd of task @tid, or AT_FDCWD, stands for. False if nothing. */
bool resolve_fd(struct resolver *resolver, int tid, int fd, struct resolved *ret);
/**
 * Closes what the last answers have open, which cannot be unmounted until then: before the
 * task goes on. Texts stay good.
 */
void resolver_release(struct resolver *resolver);
/** The name of the @index-th symbolic link on the way. */
const char *resolved_link(
	const struct resolver *resolver, const struct resolved *resolved, size_t index);

/** Which object it is or, if it does not exist, which directory is the last on the way. */
bool resolved_id(const struct resolved *resolved, struct file_id *ret);

#endif
