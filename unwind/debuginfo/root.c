// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfo/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

/** Without waiting for the other end if a pipe stands where a file should. */
enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

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
	struct open_how how = {
		.flags = OPEN_FLAGS, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	int fd;

	if (index == ROOT_OWN)
		return open(path, OPEN_FLAGS);
	fd = (int)syscall(SYS_openat2, list->roots[index].fd, path, &how, sizeof(how));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
		// Before Linux 5.6, or filtered: links are then followed in our root.
		while (*path == '/')
			path++;
		fd = openat(list->roots[index].fd, path, OPEN_FLAGS);
	}
	return fd;
}
