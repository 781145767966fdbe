// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfo/root.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/regular_file.h"

void root_list_deinit(struct root_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		close(list->roots[i].fd);
		free(list->roots[i].path);
	}
	list->count = 0;
}

int root_list_add(struct root_list *list, const char *path)
{
	struct stat stat_there, stat_here;
	int fd;

	if (!path || stat(path, &stat_there) || stat("/", &stat_here))
		return ROOT_OWN;
	if (stat_there.st_dev == stat_here.st_dev && stat_there.st_ino == stat_here.st_ino)
		return ROOT_OWN;
	for (size_t i = 0; i < list->count; i++) {
		if (list->roots[i].device == stat_there.st_dev &&
			list->roots[i].inode == stat_there.st_ino)
			return (int)i;
	}
	if (list->count == ROOTS_MAX)
		return ROOT_OWN;
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return ROOT_OWN;
	list->roots[list->count] =
		(struct root){stat_there.st_dev, stat_there.st_ino, fd, xstrdup(path)};
	return (int)list->count++;
}

const char *root_inside(const char *path, const char *name)
{
	char root[PATH_MAX];
	ssize_t length = path ? readlink(path, root, sizeof(root)) : -1;

	// "/" has nothing before it.
	if (length <= 1 || (size_t)length == sizeof(root) ||
		strncmp(name, root, (size_t)length) != 0 || name[length] != '/')
		return name;
	return name + length;
}

int root_list_open(const struct root_list *list, int index, const char *path)
{
	return index == ROOT_OWN ? regular_file_open(path)
				 : regular_file_open_in(list->roots[index].fd, path);
}
