// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Opens and closes FILE and then forbids to look into it: undumpable FILE [STEP...]. After that
// it does the steps: "open" FILE, "read" from it, "number" asks for its process id.

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	char byte;

	if (fd < 0 || close(fd) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))
		_exit(2);
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "open") == 0)
			fd = open(argv[1], O_RDONLY);
		else if (strcmp(argv[i], "read") == 0)
			(void)!read(fd, &byte, 1);
		else if (strcmp(argv[i], "number") == 0)
			syscall(SYS_getpid);
	}
	_exit(0);
}
