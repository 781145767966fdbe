// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// vfork, then the child executes a program: vfork_exec PROGRAM ARGUMENT…; exits like the child.

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status;
	pid_t child;

	if (argc < 2)
		return 2;
	child = vfork();
	if (child == 0) {
		execv(argv[1], argv + 1);
		_exit(98);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
