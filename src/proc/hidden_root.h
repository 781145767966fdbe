// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_HIDDEN_ROOT_H
#define SRC_PROC_HIDDEN_ROOT_H

/**
 * In a chroot to a directory that is no mount point, the list of mounts (mountinfo) leaves out
 * the one that the root lies in, and the kernel does not say which directory of its file system
 * the root is. Bind mounts tell: theirs is written from the top of the file system, and an end
 * of it is the name of the same object here. A bind mount of a directory above the root tells by
 * the root's name in it, which the kernel finds by the root's handle, for who may open by such.
 */

#include <stdbool.h>
#include <stdint.h>

struct mounts;

/** What is known of the mount that our root lies in. Zero-initialised: nothing. */
struct hidden_root {
	/** The mount; 0: it is in the list. */
	uint64_t mount;
	/** Which directory of the file system our root is; NULL: not known. Owned. */
	char *place;
	/** As mountinfo writes the file system's device, if @place is known. */
	uint32_t major, minor;
};

void hidden_root_deinit(struct hidden_root *hidden);
/**
 * Adds to @own, our mounts as mounts_read() gives them, the one that our root lies in, if it is
 * missing. As long as its place is not known "//" stands for it, which no clean path starts with.
 */
void hidden_root_add(struct hidden_root *hidden, struct mounts *own);
/**
 * Looks among the mounts @seen by task @tid, or by us if it is 0, for one that tells the place of
 * our root. True if it is another than was known: then our mounts are to be read again.
 */
bool hidden_root_learn(struct hidden_root *hidden, const struct mounts *seen, int tid);

#endif
