// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_TASK_FS_H
#define SRC_PROC_TASK_FS_H

/**
 * Where the names of a task begin: its root and its working directory. They are kept
 * open until someone may have changed them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "proc/file_id.h"

struct task_fs_pool;

struct task_fs {
	int tid;
	/** O_PATH; -1: not open. */
	int root, cwd;
	/** Its descriptors in /proc, the same: they stay true as long as the task lives. */
	int fds;
	/** Its memory, for reading, until it executes a program; -1: not open. */
	int memory;
	/** Which directory the root is, if @has_root_id. */
	struct file_id root_id;
	bool has_root_id;
	/** Opened at this age of the world; see task_fs_check(). */
	uint64_t age;
	/** Where it is kept, at @slot; NULL: nowhere. */
	struct task_fs_pool *pool;
	unsigned slot;
};

enum {
	/** Tasks for which something is kept open: descriptors are few. */
	TASK_FS_KEPT = 64,
};

/** Who may keep something open. Zero-initialised is empty. */
struct task_fs_pool {
	struct task_fs *kept[TASK_FS_KEPT];
	/** Where the next one goes. */
	unsigned next;
};

void task_fs_init(struct task_fs *fs, int tid);
void task_fs_deinit(struct task_fs *fs);
/** Before @fs is asked: whoever has not been for long gives up what it keeps. */
void task_fs_keep(struct task_fs_pool *pool, struct task_fs *fs);
/**
 * Closes all roots and directories: what a task has left may have to be unmounted.
 */
void task_fs_release(struct task_fs_pool *pool);
/** The task has another id now, or everything it knew is to be forgotten. */
void task_fs_reset(struct task_fs *fs, int tid);
/** Forgets what was opened at another age than @age. */
void task_fs_check(struct task_fs *fs, uint64_t age);
/** Which directory its root is; NULL if that cannot be told. */
const struct file_id *task_fs_root_id(struct task_fs *fs);
/** Open now, or -1. */
int task_fs_root(struct task_fs *fs);
int task_fs_cwd(struct task_fs *fs);
int task_fs_fds(struct task_fs *fs);
/**
 * Copies up to @size bytes of the task's memory, none that is not there: the cheapest way to
 * read a little of it once. What could not be read may be had by other ways (proc/mem.h).
 */
size_t task_fs_read(struct task_fs *fs, taddr address, void *data, size_t size);

#endif
