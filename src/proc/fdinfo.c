// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/fdinfo.h"

#include <fcntl.h>
#include <stdio.h>

#include "base/arena.h"
#include "proc/file_id.h"
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
	struct file_id id;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	return file_id_get(AT_FDCWD, path, 0, &id) && id.links == 0;
}
