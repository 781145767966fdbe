// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUGINFO_ROOT_H
#define UNWIND_DEBUGINFO_ROOT_H

/**
 * Root directories of traced processes that are not ours (containers,
 * chroots). Kept open, because debug files are looked for when the process may
 * be gone. Paths are resolved inside them: an absolute symbolic link of the
 * container stays in the container.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	/** Our own root. */
	ROOT_OWN = -1,
	ROOTS_MAX = 64,
};

struct root {
	dev_t device;
	ino_t inode;
	/** O_PATH. */
	int fd;
	/** For reports. */
	char *path;
};

/** Zero-initialised is empty and valid. */
struct root_list {
	struct root roots[ROOTS_MAX];
	size_t count;
};

void root_list_deinit(struct root_list *list);
/**
 * The index of the root at @path; ROOT_OWN for NULL, for our own root, and if
 * it cannot be opened or there are too many.
 */
int root_list_add(struct root_list *list, const char *path);
/**
 * How a process whose root is at @path (NULL: ours) spells @name, a part of it: the kernel tells
 * names of files from our root, or from that of another mount namespace. @name itself if it does
 * not lie there.
 */
const char *root_inside(const char *path, const char *name);
/**
 * Opens @path (absolute) for reading inside root @index, as base/regular_file.h does: what is no
 * regular file can only be asked for its type. -1 with errno if it cannot.
 */
int root_list_open(const struct root_list *list, int index, const char *path);

#endif
