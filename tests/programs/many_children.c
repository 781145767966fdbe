// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// COUNT children, ten alive at a time, that make one call and exit with status 7:
// many_children COUNT. Exits 0 if every one of them was waited for with that status.

#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int wait_for_one(void)
{
	int status;

	return wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1000;
	int waited = 0;

	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid == 0) {
			syscall(SYS_getppid);
			_exit(7);
		}
		if (i >= 10)
			waited += wait_for_one();
	}
	while (waited < count && wait_for_one())
		waited++;
	return waited != count;
}
