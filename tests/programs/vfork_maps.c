// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// vfork, then the child maps a file, which the parent protects and unmaps: vfork_maps FILE.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static void *volatile memory = MAP_FAILED;
	int status;
	pid_t child;

	if (argc < 2)
		return 2;
	child = vfork();
	if (child == 0) {
		int fd = open(argv[1], O_RDONLY);

		memory = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || memory == MAP_FAILED)
		return 1;
	return mprotect(memory, 1, PROT_NONE) != 0 || munmap(memory, 1) != 0;
}
