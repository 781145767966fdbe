// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/task_fs.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void task_fs_init(struct task_fs *fs, int tid)
{
	*fs = (struct task_fs){.tid = tid, .root = -1, .cwd = -1, .fds = -1, .memory = -1};
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
	if (fs->fds >= 0)
		close(fs->fds);
	if (fs->memory >= 0)
		close(fs->memory);
	fs->fds = fs->memory = -1;
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

static int open_memory(int tid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/mem", tid);
	return open(path, O_RDONLY | O_CLOEXEC);
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

int task_fs_fds(struct task_fs *fs)
{
	if (fs->fds < 0)
		fs->fds = open_link(fs->tid, "fd");
	return fs->fds;
}

size_t task_fs_read(struct task_fs *fs, taddr address, void *data, size_t size)
{
	ssize_t got;

	if (fs->memory < 0)
		fs->memory = open_memory(fs->tid);
	got = pread(fs->memory, data, size, (off_t)address);
	return got > 0 ? (size_t)got : 0;
}
