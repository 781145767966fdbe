// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_INTERNAL_H
#define SRC_PROC_INTERNAL_H

/** What resolve, direct_path and path_walk share; resolver.c has it. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "proc/resolve.h"

enum {
	/** Room for what is left of a path and the text of a link before it. */
	WALK_REST_SIZE = 2 * PATH_MAX + 2,
};

/** Forgets the last answer. */
void resolver_begin(struct resolver *resolver);
/** Whether @root is our own. */
bool resolver_is_root(const struct resolver *resolver, const struct file_id *root);
/** Closes @fd, which is ours, after the present answer. */
void resolver_close(struct resolver *resolver, int fd);
/** Appends the name of our descriptor @fd to the text. */
bool resolver_add_name(struct resolver *resolver, int fd);
/** Appends "/@part" to the name that starts at @start. */
void resolver_add_part(struct resolver *resolver, size_t start, const char *part, size_t length);
/** The name of @resolved is the text from @start on: completes the answer. */
void resolver_finish(struct resolver *resolver, size_t start, struct resolved *resolved);

/**
 * path_walk: part by part, for paths with links, and for those that lead nowhere. @base is
 * where a relative one starts. Answers as resolve_from() does.
 */
bool path_walk(struct resolver *resolver, struct task_fs *fs, int base, const char *path,
	unsigned flags, struct resolved *ret);

#endif
