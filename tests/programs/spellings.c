// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Reaches DIR/target by every spelling of its path: spellings DIR. All but the last two of
// these calls are about something in DIR.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char path[4096];
	struct stat status;
	int dir_fd, fd;

	if (argc != 2)
		return 2;
	snprintf(path, sizeof(path), "%s/target", argv[1]);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || write(fd, "x", 1) != 1 || close(fd))
		return 1;
	snprintf(path, sizeof(path), "%s//target", argv[1]);
	if (access(path, R_OK))
		return 1;
	snprintf(path, sizeof(path), "%s/./missing", argv[1]);
	if (!access(path, R_OK))
		return 1;
	dir_fd = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (dir_fd < 0 || fstatat(dir_fd, "target", &status, 0))
		return 1;
	fd = openat(dir_fd, "target", O_RDONLY);
	if (fd < 0 || read(fd, path, 1) != 1 || fstat(fd, &status) || close(fd))
		return 1;
	if (chdir(argv[1]) || rename("target", "renamed") || unlink("./renamed"))
		return 1;
	if (!access("/nonexistent", R_OK))
		return 1;
	return chdir("/") != 0;
}
