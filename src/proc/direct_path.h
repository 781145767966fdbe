// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_DIRECT_PATH_H
#define SRC_PROC_DIRECT_PATH_H

/**
 * Paths that lead directly down from where they begin: through no symbolic link, and never
 * up by `..`. What such a path leads to is called what the path says, put behind the name
 * of where it begins. That takes one or two questions to the kernel instead of the four or
 * so of proc/resolve.h, and leaves nothing open: a file system that is held open cannot be
 * unmounted.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proc/file_id.h"

struct resolver;
struct task_fs;

/** The text is good until the resolver is used again. */
struct direct_path {
	/** Absolute, single slashes, no dots; of what need not exist. */
	const char *name;
	/** As much of it is the name of the directory it begins at; 0: that is the root. */
	size_t base_length;
	/** Which object it is: only if that was asked for and it exists. */
	bool has_id;
	struct file_id id;
	/**
	 * It is one part that is not followed: what it leads to when the call looks is called so
	 * too, whatever others put there meanwhile.
	 */
	bool fixed;
};

/**
 * The same arguments as resolve_path(). False if @path does not lead directly down, or nobody
 * can tell: then it has to be resolved. @identify: fill direct_path.id.
 */
bool direct_path_find(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *path,
	unsigned flags, bool identify, struct direct_path *ret);

#endif
