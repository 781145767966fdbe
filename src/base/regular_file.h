// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_REGULAR_FILE_H
#define SRC_BASE_REGULAR_FILE_H

/**
 * Opens for reading what may not be a file at all: first by O_PATH, which asks nothing of what
 * stands there, and for reading only if it is a regular file. To open a FIFO lets its writer go
 * on, and a device may react. What is no regular file is returned as the O_PATH descriptor: it
 * can be asked for its type and cannot be read (EBADF).
 */

/** Descriptor for @path, which the caller closes; -1 with errno. */
int regular_file_open(const char *path);
/**
 * The same below the directory @root, which is the root for @path and all links on the way:
 * absolute ones do not lead out of it. (Before Linux 5.6, or where openat2 is refused, they do.)
 */
int regular_file_open_in(int root, const char *path);

#endif
