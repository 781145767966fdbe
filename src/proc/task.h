// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_TASK_H
#define SRC_PROC_TASK_H

/** What /proc/TID says about a task: name, links, whole files. */

#include <stdbool.h>
#include <stddef.h>

#include "base/taddr.h"

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
/**
 * AT_ENTRY and AT_BASE of its program, as getauxval(3) explains them; *@base_ret is 0 if it has
 * no interpreter. False if they cannot be read.
 */
bool task_start(int tid, taddr *entry_ret, taddr *base_ret);

#endif
