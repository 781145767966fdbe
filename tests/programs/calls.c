// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Makes the calls named by its arguments, one after the other, by number and without libc in
// between, so that a trace of them holds nothing else: calls getpid close:99 exit:3

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void make_call(const char *name, const char *argument)
{
	long number = argument ? strtol(argument, NULL, 0) : 0;

	if (!strcmp(name, "getpid"))
		syscall(SYS_getpid);
	else if (!strcmp(name, "getppid"))
		syscall(SYS_getppid);
	else if (!strcmp(name, "close"))
		syscall(SYS_close, number);
	else if (!strcmp(name, "open"))
		syscall(SYS_openat, AT_FDCWD, argument, O_RDONLY | O_CLOEXEC);
	else if (!strcmp(name, "create"))
		syscall(SYS_openat, AT_FDCWD, argument, O_RDWR | O_CREAT | O_TRUNC, 0640);
	else if (!strcmp(name, "oldopen"))
		syscall(SYS_open, argument, O_RDONLY);
	else if (!strcmp(name, "unlink"))
		syscall(SYS_unlink, argument);
	else if (!strcmp(name, "access"))
		syscall(SYS_access, argument, R_OK);
	else if (!strcmp(name, "chdir"))
		syscall(SYS_chdir, argument);
	else if (!strcmp(name, "mkdir"))
		syscall(SYS_mkdir, argument, 0755);
	else if (!strcmp(name, "rmdir"))
		syscall(SYS_rmdir, argument);
	else if (!strcmp(name, "write"))
		syscall(SYS_write, 1, argument, strlen(argument));
	else if (!strcmp(name, "dup"))
		syscall(SYS_dup, number);
	else if (!strcmp(name, "umask"))
		syscall(SYS_umask, number);
	else if (!strcmp(name, "kill"))
		syscall(SYS_kill, getpid(), number);
	else if (!strcmp(name, "unknown"))
		syscall(number, 1, 2, 3, 4, 5, 6);
	else if (!strcmp(name, "exit"))
		syscall(SYS_exit_group, number);
	else
		_exit(99);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *argument = strchr(argv[i], ':');

		if (argument)
			*argument++ = '\0';
		make_call(argv[i], argument);
	}
	syscall(SYS_exit_group, 0);
}
