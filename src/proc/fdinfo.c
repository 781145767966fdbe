// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/fdinfo.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "proc/task.h"

const char *fdinfo_path(struct arena *arena, int tid, int fd)
{
	char name[32];

	if (fd < 0)
		return NULL;
	snprintf(name, sizeof(name), "fd/%d", fd);
	return task_link(arena, tid, name);
}

bool fdinfo_deleted(int tid, int fd)
{
	char path[48];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	return stat(path, &st) == 0 && st.st_nlink == 0;
}
