// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// The main thread is inside a read of a pipe while a second thread makes a call and then
// writes to it. The second waits until the first is known to sleep, so that the order is fixed.

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int pipe_fds[2];
static int reader;

// Field 3 of stat is the state; a traced task that is stopped shows 't', not 'S'.
static int sleeps(int tid)
{
	char path[64];
	char text[512];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY);
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	return strstr(text, ") S ") != NULL;
}

static void *write_later(void *argument)
{
	// Twice, with calls in between: once may be a sleep before the read.
	for (int seen = 0; seen < 2; usleep(20000))
		seen = sleeps(reader) ? seen + 1 : 0;
	syscall(SYS_getppid);
	if (write(pipe_fds[1], "hello", 5) != 5)
		_exit(1);
	return argument;
}

int main(void)
{
	char text[16];
	pthread_t writer;

	reader = (int)syscall(SYS_gettid);
	if (pipe(pipe_fds) || pthread_create(&writer, NULL, write_later, NULL))
		return 1;
	if (read(pipe_fds[0], text, sizeof(text)) != 5)
		return 1;
	pthread_join(writer, NULL);
	return 0;
}
