// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/task_fs.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void task_fs_init(struct task_fs *fs, int tid)
{
	*fs = (struct task_fs){.tid = tid, .root = -1, .cwd = -1, .proc = -1};
}

static void close_all(struct task_fs *fs)
{
	if (fs->root >= 0)
		close(fs->root);
	if (fs->cwd >= 0)
		close(fs->cwd);
	fs->root = fs->cwd = -1;
	fs->has_root_id = false;
}

void task_fs_deinit(struct task_fs *fs)
{
	close_all(fs);
	if (fs->proc >= 0)
		close(fs->proc);
	fs->proc = -1;
	if (fs->pool)
		fs->pool->kept[fs->slot] = NULL;
	fs->pool = NULL;
}

void task_fs_keep(struct task_fs_pool *pool, struct task_fs *fs)
{
	unsigned slot = pool->next;

	if (fs->pool)
		return;
	pool->next = (slot + 1) % TASK_FS_KEPT;
	if (pool->kept[slot])
		task_fs_deinit(pool->kept[slot]);
	pool->kept[slot] = fs;
	fs->pool = pool;
	fs->slot = slot;
}

void task_fs_release(struct task_fs_pool *pool)
{
	for (unsigned i = 0; i < TASK_FS_KEPT; i++) {
		if (pool->kept[i])
			close_all(pool->kept[i]);
	}
}

void task_fs_reset(struct task_fs *fs, int tid)
{
	task_fs_deinit(fs);
	fs->tid = tid;
}

void task_fs_check(struct task_fs *fs, uint64_t age)
{
	if (fs->age == age)
		return;
	close_all(fs);
	fs->age = age;
}

static int open_link(int tid, const char *name)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	return open(path, O_PATH | O_CLOEXEC);
}

const struct file_id *task_fs_root_id(struct task_fs *fs)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/root", fs->tid);
	if (!fs->has_root_id)
		fs->has_root_id = file_id_get(AT_FDCWD, path, 0, &fs->root_id);
	return fs->has_root_id ? &fs->root_id : NULL;
}

int task_fs_root(struct task_fs *fs)
{
	if (fs->root < 0)
		fs->root = open_link(fs->tid, "root");
	return fs->root;
}

int task_fs_cwd(struct task_fs *fs)
{
	if (fs->cwd < 0)
		fs->cwd = open_link(fs->tid, "cwd");
	return fs->cwd;
}

int task_fs_proc(struct task_fs *fs)
{
	if (fs->proc < 0)
		fs->proc = open_link(fs->tid, ".");
	return fs->proc;
}
