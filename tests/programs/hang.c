// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// A process that hangs: hang WAY... starts a thread for each WAY, prints its pid, WAY and tid
// once it hangs, and then copies standard input to a pipe until that ends. "leave" ends the
// first thread instead. Threads that come back from their call print WAY, result and errno.

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int pipe_ends[2];

static long hang_in_read(void)
{
	char byte;

	return read(pipe_ends[0], &byte, 1);
}

static long hang_in_sleep(void)
{
	const struct timespec long_time = {.tv_sec = 1000};

	return nanosleep(&long_time, NULL);
}

static long hang_in_poll(void)
{
	struct pollfd never = {.fd = pipe_ends[0], .events = POLLPRI};

	return poll(&never, 1, 1000000);
}

static long hang_in_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(epoll_create1(0), &event, 1, 1000000);
}

static long hang_in_loop(void)
{
	volatile unsigned long count = 0;

	while (count + 1)
		;
	return 0;
}

// Not even a signal ends this: the thread sleeps until its child is done.
static long hang_in_vfork(void)
{
	pid_t child = vfork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	return child;
}

static const struct way {
	const char *name;
	long (*hang)(void);
} ways[] = {
	{"read", hang_in_read},
	{"sleep", hang_in_sleep},
	{"poll", hang_in_poll},
	{"epoll", hang_in_epoll},
	{"loop", hang_in_loop},
	{"vfork", hang_in_vfork},
};

static void *run(void *argument)
{
	const struct way *way = argument;
	long result;
	int code;

	printf("%s %ld\n", way->name, syscall(SYS_gettid));
	errno = 0;
	result = way->hang();
	code = errno;
	printf("%s returned %ld %s\n", way->name, result, strerror(code));
	return NULL;
}

static void nothing(int number)
{
	(void)number;
}

static void start(const char *name)
{
	pthread_t thread;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(ways[i].name, name) == 0)
			pthread_create(&thread, NULL, run, (void *)&ways[i]);
	}
}

int main(int argc, char *argv[])
{
	const struct sigaction interrupting = {.sa_handler = nothing};
	bool leave = false;
	char bytes[16];
	ssize_t size;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigaction(SIGUSR1, &interrupting, NULL);
	if (pipe(pipe_ends) != 0)
		return 1;
	printf("main %d\n", (int)getpid());
	for (int i = 1; i < argc; i++) {
		leave |= strcmp(argv[i], "leave") == 0;
		start(argv[i]);
	}
	if (leave)
		pthread_exit(NULL);
	while ((size = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
		if (write(pipe_ends[1], bytes, (size_t)size) != size)
			return 1;
	}
	return 0;
}
