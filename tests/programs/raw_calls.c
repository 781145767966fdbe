// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Makes the calls on its standard input, each in a process of its own: raw_calls FILE. A line
// is NUMBER A0 A1 A2 A3 A4 A5, each argument a number or PATH, FD, REGION (FILE, open and
// mapped) or FD@OFFSET/SIZE (memory with the descriptor in it). Prints the process of each.

#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NOBODY = 65534,
	ROOM = 65536,
};

static char room[ROOM];

// The calls are made with senseless arguments: nothing must come of those that need root.
static void give_up_privileges(void)
{
	if (geteuid() != 0)
		return;
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY) ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		exit(2);
}

static long value_of(const char *word, const char *path, int fd, void *mapped)
{
	unsigned offset, size;

	if (strcmp(word, "PATH") == 0)
		return (long)path;
	if (strcmp(word, "FD") == 0)
		return fd;
	if (strcmp(word, "REGION") == 0)
		return (long)mapped;
	if (sscanf(word, "FD@%u/%u", &offset, &size) == 2) {
		memcpy(room + offset, &fd, size < sizeof(fd) ? size : sizeof(fd));
		return (long)room;
	}
	return (long)strtoull(word, NULL, 0);
}

int main(int argc, char **argv)
{
	char line[512];
	int fd = argc == 2 ? open(argv[1], O_RDWR) : -1;
	void *mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

	if (fd < 0 || mapped == MAP_FAILED)
		return 2;
	give_up_privileges();
	while (fgets(line, sizeof(line), stdin)) {
		char words[6][64];
		long number, value[6];
		pid_t child;

		if (sscanf(line, "%ld %63s %63s %63s %63s %63s %63s", &number, words[0], words[1],
			    words[2], words[3], words[4], words[5]) != 7)
			return 2;
		for (int i = 0; i < 6; i++)
			value[i] = value_of(words[i], argv[1], fd, mapped);
		child = fork();
		if (child == 0) {
			alarm(5);
			syscall(number, value[0], value[1], value[2], value[3], value[4], value[5]);
			_exit(0);
		}
		printf("%d\n", child);
		memset(room, 0, sizeof(room));
		waitpid(child, NULL, 0);
	}
	return 0;
}
