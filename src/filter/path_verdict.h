// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_PATH_VERDICT_H
#define SRC_FILTER_PATH_VERDICT_H

/**
 * The verdict of -P on one object: the user's patterns are held against the names it has in
 * the view of paths that was asked for, and against its identity. Part of the path filter.
 */

#include <stdbool.h>

#include "filter/path_set.h"

struct path_filter;
struct resolved;
struct path_task;

/** Reads our own mounts, anew if need be, and finds the names that the patterns have by them. */
void path_verdict_read_mounts(struct path_filter *filter);
/** Roots, directories or mounts have changed: what is kept of them is not true any more. */
void path_verdict_forget_roots(struct path_filter *filter);
/** The verdict on an object of @task; @is_fd: it is open, whatever it is called now. */
enum path_verdict path_verdict_of(struct path_filter *filter, struct path_task *task,
	const struct resolved *resolved, bool is_fd);
/** @name as the task sees it, below its root; NULL if it lies outside. */
const char *path_verdict_target_name(struct path_task *task, const char *name);
/** The verdict on a name alone, as resolve gives it for that task. */
enum path_verdict path_verdict_of_name(
	struct path_filter *filter, struct path_task *task, const char *name);
/** Whether the names of what the task reaches are names in our own view, as a rule. */
bool path_verdict_by_name(struct path_filter *filter, struct path_task *task);

#endif
