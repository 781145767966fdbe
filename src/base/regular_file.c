// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LOOK = O_PATH | O_CLOEXEC,
	READ = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
};

// Takes @fd over. By the descriptor it is the same file, whatever stands under its name now.
static int reopen(int fd)
{
	char link[32];
	struct statx st;
	int file, error;

	if (fd < 0)
		return -1;
	// What the kernel remembers of the type is enough; it does not change.
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &st) != 0 ||
		!S_ISREG(st.stx_mode))
		return fd;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	file = open(link, READ);
	error = errno;
	close(fd);
	errno = error;
	return file;
}

int regular_file_open(const char *path)
{
	return reopen(open(path, LOOK));
}

int regular_file_open_in(int root, const char *path)
{
	struct open_how how = {.flags = LOOK, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
		while (*path == '/')
			path++;
		fd = openat(root, path, LOOK);
	}
	return reopen(fd);
}
