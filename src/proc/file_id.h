// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_FILE_ID_H
#define SRC_PROC_FILE_ID_H

/**
 * Which object a name or descriptor stands for, whatever it is called. Inode numbers
 * are used again soon after a file is gone: the time of birth, where the file system
 * keeps it, tells such files apart.
 */

#include <stdbool.h>
#include <stdint.h>

struct file_id {
	uint32_t major, minor;
	uint64_t inode;
	/** Nanoseconds since 1970, 0 if unknown. */
	int64_t birth;
	/** Of the mount it was reached through, as in mountinfo; 0 if unknown. */
	uint64_t mount;
	/** Type and permissions. */
	uint16_t mode;
	/** Names it has; 0: deleted. */
	uint32_t links;
};

/** What @path, relative to @dir, stands for; @flags are those of statx(2). False if nothing. */
bool file_id_get(int dir, const char *path, int flags, struct file_id *ret);
/** The same file; through any mount. */
bool file_id_equal(const struct file_id *a, const struct file_id *b);

#endif
