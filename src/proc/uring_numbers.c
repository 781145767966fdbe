// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/uring_numbers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"

// Others of ours must not want for descriptors.
static bool is_affordable(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)fd < limit.rlim_cur / 2;
}

static int copy_fd(int tid, int fd)
{
	// PIDFD_THREAD: a thread may have descriptors of its own. Before Linux 6.9 there is none.
	cleanup_close int pidfd = (int)syscall(SYS_pidfd_open, tid, O_EXCL);
	cleanup_close int process = pidfd < 0 ? (int)syscall(SYS_pidfd_open, tid, 0) : -1;
	int copy = (int)syscall(SYS_pidfd_getfd, pidfd < 0 ? process : pidfd, fd, 0);

	if (copy < 0 || is_affordable(copy))
		return copy;
	close(copy);
	return -1;
}

void uring_numbers_set(struct uring_numbers *numbers, int tid, unsigned number, int fd)
{
	if (number >= URING_NUMBERS)
		return;
	uring_numbers_remove(numbers, number);
	numbers->of[number].inode = uring_inode(tid, fd);
	numbers->of[number].fd = fd;
	if (!numbers->of[number].inode)
		return;
	numbers->of[number].kept = copy_fd(tid, fd);
	numbers->of[number].is_kept = numbers->of[number].kept >= 0;
}

void uring_numbers_remove(struct uring_numbers *numbers, unsigned number)
{
	if (number >= URING_NUMBERS)
		return;
	if (numbers->of[number].is_kept)
		close(numbers->of[number].kept);
	memset(&numbers->of[number], 0, sizeof(numbers->of[number]));
}

void uring_numbers_set_memory(
	struct uring_numbers *numbers, unsigned number, const struct uring_memory *memory)
{
	if (number >= URING_NUMBERS)
		return;
	uring_numbers_remove(numbers, number);
	numbers->of[number].memory = *memory;
}

const struct uring_memory *uring_numbers_memory(
	const struct uring_numbers *numbers, unsigned number)
{
	return number < URING_NUMBERS && numbers->of[number].memory.ring
		       ? &numbers->of[number].memory
		       : NULL;
}

void uring_numbers_clear(struct uring_numbers *numbers)
{
	for (unsigned i = 0; i < URING_NUMBERS; i++)
		uring_numbers_remove(numbers, i);
}

int uring_numbers_fd(const struct uring_numbers *numbers, int tid, unsigned number, int *owner_ret)
{
	unsigned long long inode = number < URING_NUMBERS ? numbers->of[number].inode : 0;
	char path[32];
	cleanup_closedir DIR *directory = NULL;
	struct dirent *entry;
	int fd;

	if (!inode)
		return -1;
	*owner_ret = numbers->of[number].is_kept ? getpid() : tid;
	if (numbers->of[number].is_kept)
		return numbers->of[number].kept;
	if (uring_inode(tid, numbers->of[number].fd) == inode)
		return numbers->of[number].fd;
	// That one was closed, as it may be.
	snprintf(path, sizeof(path), "/proc/%d/fd", tid);
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		if (parse_int(entry->d_name, &fd) && uring_inode(tid, fd) == inode)
			return fd;
	}
	return -1;
}
