// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_TASK_H
#define SRC_PROC_TASK_H

/** What /proc/TID says about a task: name, links, whole files. */

#include <stddef.h>

struct arena;

enum {
	/** TASK_COMM_LEN with its NUL. */
	TASK_COMM_SIZE = 16,
};

/** The command name, "" if the task is gone. Any bytes but NUL may be in it. */
void task_comm(int tid, char comm[TASK_COMM_SIZE]);
/** What /proc/TID/@name ("cwd", "root", "exe", "ns/mnt") points to, in @arena, or NULL. */
const char *task_link(struct arena *arena, int tid, const char *name);
/** The whole of /proc/TID/@name, allocated, NUL-terminated; NULL if it cannot be read. */
char *task_file(int tid, const char *name, size_t *length_ret);

#endif
