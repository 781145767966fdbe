// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/uring_numbers.h"

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "proc/uring.h"

void uring_numbers_set(struct uring_numbers *numbers, int tid, unsigned number, int fd)
{
	if (number >= URING_NUMBERS)
		return;
	numbers->of[number].inode = uring_inode(tid, fd);
	numbers->of[number].fd = fd;
}

void uring_numbers_remove(struct uring_numbers *numbers, unsigned number)
{
	if (number < URING_NUMBERS)
		numbers->of[number].inode = 0;
}

int uring_numbers_fd(const struct uring_numbers *numbers, int tid, unsigned number)
{
	unsigned long long inode = number < URING_NUMBERS ? numbers->of[number].inode : 0;
	char path[32];
	cleanup_closedir DIR *directory = NULL;
	struct dirent *entry;
	int fd;

	if (!inode)
		return -1;
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
