// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_FDINFO_H
#define SRC_PROC_FDINFO_H

/** Descriptors of a task, through /proc/TID/fd (proc(5)). */

#include <stdbool.h>

struct arena;

/** What descriptor @fd refers to as its link reads, in @arena; NULL if there is none. */
const char *fdinfo_path(struct arena *arena, int tid, int fd);
/**
 * Whether the file has no name left; a file merely called "x (deleted)" has. By what the kernel
 * remembers: the file's server may have stopped to answer.
 */
bool fdinfo_deleted(int tid, int fd);

#endif
