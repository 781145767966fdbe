// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_PATH_SET_H
#define SRC_FILTER_PATH_SET_H

/**
 * The paths of -P. Each stands for itself and, where it is a directory or does
 * not exist, for everything below it. Paths are compared by their spelling after
 * `//`, `.` and `..` are gone; resolving them in the file system is the caller's.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/buf.h"

struct path_pattern {
	char *path;
	size_t length;
	bool subtree;
};

/** Zero-initialised is empty. */
struct path_set {
	ARRAY(struct path_pattern) patterns;
};

void path_set_deinit(struct path_set *set);
/**
 * Adds @path as typed: relative to our own working directory, and, if it goes
 * through symbolic links, also what it resolves to, which is then returned (owned
 * by the set); else NULL.
 */
const char *path_set_add(struct path_set *set, const char *path);
/** Whether the clean absolute @path is one of the set or below one. */
bool path_set_has(const struct path_set *set, const char *path);

/**
 * Appends to @buf the clean form of @path, which is relative to the absolute
 * @base unless it starts with a slash: single slashes, no `.` or `..`, no slash
 * at the end.
 */
void path_clean(struct buf *buf, const char *base, const char *path);

#endif
