// SPDX-License-Identifier: MIT
// Copyright the tracer authors
//
// Threads that sleep, each in another kind of call, while a file is opened, used by all and
// closed: nothing of that may be seen in what their calls return.
//
//   sleepers FILE
//
// says how often a thread stopped. Each thread says what was wrong on standard error, and then
// the exit status is 1.

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupted.h"

enum {
	ALL = 1000,
	PLAIN_CALLS = 1000,
	USERS = 4,
	USES = 50,
};

struct sleeper {
	const char *name;
	/** The call: what it returned, as it should be. */
	bool (*sleep)(struct sleeper *self);
	/** Ends it. */
	void (*wake)(struct sleeper *self);
	/** A pair of descriptors, an identifier, memory, as it likes. */
	int fd[2], id;
	_Atomic int word;
	char *data;
	pthread_t thread;
	_Atomic int tid;
	_Atomic bool done;
};

static _Atomic int shared_fd = -1;
static _Atomic int failures;

static void wake_byte(struct sleeper *self)
{
	must(write(self->fd[1], "x", 1) == 1, "wake");
}

static bool sleep_read(struct sleeper *self)
{
	char byte;

	return read(self->fd[0], &byte, 1) == 1;
}

static bool sleep_poll(struct sleeper *self)
{
	struct pollfd entry = {.fd = self->fd[0], .events = POLLIN};

	return poll(&entry, 1, HOUR * 1000) == 1;
}

static bool sleep_ppoll(struct sleeper *self)
{
	struct pollfd entry = {.fd = self->fd[0], .events = POLLIN};
	sigset_t none;

	sigemptyset(&none);
	return ppoll(&entry, 1, NULL, &none) == 1;
}

static bool sleep_select(struct sleeper *self)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(self->fd[0], &set);
	return select(self->fd[0] + 1, &set, NULL, NULL, NULL) == 1;
}

static bool wait_epoll(struct sleeper *self, const sigset_t *mask, int *ret)
{
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(0);

	must(epoll_ctl(epoll, EPOLL_CTL_ADD, self->fd[0], &event) == 0, "epoll_ctl");
	*ret = mask ? epoll_pwait(epoll, &event, 1, HOUR * 1000, mask)
		    : epoll_wait(epoll, &event, 1, -1);
	return *ret == 1;
}

static bool sleep_epoll(struct sleeper *self)
{
	int ret;

	return wait_epoll(self, NULL, &ret);
}

static bool sleep_epoll_mask(struct sleeper *self)
{
	sigset_t mask;
	int ret;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	return wait_epoll(self, &mask, &ret);
}

// A signal that comes while it sleeps ends it, and is blocked at any other time.
static bool sleep_epoll_signal(struct sleeper *self)
{
	sigset_t mask;
	int ret, before = handled;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigdelset(&mask, SIGUSR1);
	errno = 0;
	wait_epoll(self, &mask, &ret);
	return ret == -1 && errno == EINTR && handled > before;
}

static void wake_by_usr1(struct sleeper *self)
{
	must(pthread_kill(self->thread, SIGUSR1) == 0, "pthread_kill");
}

static bool sleep_suspend(struct sleeper *self)
{
	sigset_t mask;

	(void)self;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigdelset(&mask, SIGUSR1);
	return sigsuspend(&mask) == -1 && errno == EINTR;
}

static bool sleep_sigwait(struct sleeper *self)
{
	struct timespec hour = {.tv_sec = HOUR};
	sigset_t set;

	(void)self;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigtimedwait(&set, NULL, &hour) == SIGUSR2;
}

static void wake_by_usr2(struct sleeper *self)
{
	must(pthread_kill(self->thread, SIGUSR2) == 0, "pthread_kill");
}

static bool sleep_futex(struct sleeper *self)
{
	struct timespec hour = {.tv_sec = HOUR};

	return syscall(SYS_futex, &self->word, FUTEX_WAIT, 0, sizeof(long) == 8 ? &hour : NULL,
		       NULL, 0) == 0;
}

static void wake_futex(struct sleeper *self)
{
	self->word = 1;
	must(syscall(SYS_futex, &self->word, FUTEX_WAKE, 1, NULL, NULL, 0) == 1, "FUTEX_WAKE");
}

static uint64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool sleep_nanosleep(struct sleeper *self)
{
	struct timespec time = {.tv_nsec = 600 * 1000000};
	uint64_t start = milliseconds();

	(void)self;
	return nanosleep(&time, NULL) == 0 && milliseconds() - start >= 599;
}

static void wake_not(struct sleeper *self)
{
	(void)self;
}

static bool sleep_semop(struct sleeper *self)
{
	struct sembuf down = {.sem_op = -1};

	return semop(self->id, &down, 1) == 0;
}

static bool sleep_semtimedop(struct sleeper *self)
{
	struct timespec hour = {.tv_sec = HOUR};
	struct sembuf down = {.sem_op = -1};

	return semtimedop(self->id, &down, 1, &hour) == 0;
}

static void wake_semop(struct sleeper *self)
{
	struct sembuf up = {.sem_op = 1};

	must(semop(self->id, &up, 1) == 0, "semop");
}

static bool sleep_msgrcv(struct sleeper *self)
{
	struct msgbuf message;

	return msgrcv(self->id, &message, 1, 0, 0) == 1;
}

static void wake_msgrcv(struct sleeper *self)
{
	struct msgbuf message = {.mtype = 1};

	must(msgsnd(self->id, &message, 1, 0) == 0, "msgsnd");
}

static bool sleep_io_getevents(struct sleeper *self)
{
	struct iocb block = {.aio_lio_opcode = 5 /* IOCB_CMD_POLL */,
		.aio_fildes = (uint32_t)self->fd[0],
		.aio_buf = POLLIN};
	struct iocb *blocks[] = {&block};
	struct io_event event;
	aio_context_t context = 0;

	must(syscall(SYS_io_setup, 1, &context) == 0, "io_setup");
	must(syscall(SYS_io_submit, context, 1, blocks) == 1, "io_submit");
	return syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1;
}

static bool sleep_accept(struct sleeper *self)
{
	return accept(self->fd[0], NULL, NULL) >= 0;
}

static bool sleep_accept_address(struct sleeper *self)
{
	struct sockaddr_un address;
	socklen_t size = sizeof(address);

	return accept(self->fd[0], (struct sockaddr *)&address, &size) >= 0;
}

static int connect_to(int listener, int timeout)
{
	struct timeval time = {.tv_sec = timeout};
	struct sockaddr_un address;
	socklen_t size = sizeof(address);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	must(getsockname(listener, (struct sockaddr *)&address, &size) == 0, "getsockname");
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
	return connect(fd, (struct sockaddr *)&address, size) == 0 ? fd : -1;
}

static void wake_accept(struct sleeper *self)
{
	must(connect_to(self->fd[0], 0) >= 0, "connect");
}

static bool sleep_connect(struct sleeper *self)
{
	return connect_to(self->fd[0], self->id) >= 0;
}

static void wake_connect(struct sleeper *self)
{
	must(accept(self->fd[0], NULL, NULL) >= 0, "accept");
}

static bool sleep_wait(struct sleeper *self)
{
	int status;

	return waitpid(self->id, &status, 0) == self->id;
}

static void wake_wait(struct sleeper *self)
{
	kill(self->id, SIGKILL);
}

static bool sleep_flock(struct sleeper *self)
{
	return flock(self->fd[0], LOCK_EX) == 0;
}

static void wake_flock(struct sleeper *self)
{
	must(flock(self->fd[1], LOCK_UN) == 0, "flock");
}

static bool sleep_write(struct sleeper *self)
{
	return write(self->fd[1], self->data, LARGE) == LARGE;
}

static bool sleep_send(struct sleeper *self)
{
	return send(self->fd[1], self->data, LARGE, 0) == LARGE;
}

static void wake_write(struct sleeper *self)
{
	char *found = malloc(LARGE);
	size_t size = 0;

	while (size < LARGE) {
		ssize_t got = read(self->fd[0], found + size, LARGE - size);

		must(got > 0, "read");
		size += (size_t)got;
	}
	if (memcmp(found, self->data, LARGE) != 0) {
		fprintf(stderr, "%s: other bytes\n", self->name);
		failures++;
	}
	free(found);
}

static bool sleep_recv_all(struct sleeper *self)
{
	char found[ALL];

	must(write(self->fd[1], self->data, 10) == 10, "write");
	return recv(self->fd[0], found, ALL, MSG_WAITALL) == ALL &&
	       memcmp(found, self->data, ALL) == 0;
}

static void wake_recv_all(struct sleeper *self)
{
	must(write(self->fd[1], self->data + 10, ALL - 10) == ALL - 10, "write");
}

static bool sleep_join(struct sleeper *self)
{
	while (!self->word)
		;
	return true;
}

static void wake_join(struct sleeper *self)
{
	self->word = 1;
}

static struct sleeper sleepers[] = {
	{"read", sleep_read, wake_byte},
	{"read with timeout", sleep_read, wake_byte},
	{"poll", sleep_poll, wake_byte},
	{"ppoll", sleep_ppoll, wake_byte},
	{"select", sleep_select, wake_byte},
	{"epoll_wait", sleep_epoll, wake_byte},
	{"epoll_pwait", sleep_epoll_mask, wake_byte},
	{"epoll_pwait until a signal", sleep_epoll_signal, wake_by_usr1},
	{"sigsuspend", sleep_suspend, wake_by_usr1},
	{"sigtimedwait", sleep_sigwait, wake_by_usr2},
	{"futex", sleep_futex, wake_futex},
	{"nanosleep", sleep_nanosleep, wake_not},
	{"semop", sleep_semop, wake_semop},
	{"semtimedop", sleep_semtimedop, wake_semop},
	{"msgrcv", sleep_msgrcv, wake_msgrcv},
	{"io_getevents", sleep_io_getevents, wake_byte},
	{"accept", sleep_accept, wake_accept},
	{"accept with timeout", sleep_accept, wake_accept},
	{"accept with address", sleep_accept_address, wake_accept},
	{"connect", sleep_connect, wake_connect},
	{"connect with timeout", sleep_connect, wake_connect},
	{"wait4", sleep_wait, wake_wait},
	{"flock", sleep_flock, wake_flock},
	{"write", sleep_write, wake_write},
	{"send", sleep_send, wake_write},
	{"recv of all", sleep_recv_all, wake_recv_all},
	{"no call", sleep_join, wake_join},
};

enum {
	SLEEPERS = sizeof(sleepers) / sizeof(sleepers[0]),
};

static void make_pair(struct sleeper *self)
{
	struct timeval hour = {.tv_sec = HOUR};

	if (self->sleep == sleep_write) {
		must(pipe(self->fd) == 0, "pipe");
		return;
	}
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, self->fd) == 0, "socketpair");
	if (strstr(self->name, "timeout") || self->sleep == sleep_send)
		setsockopt(self->fd[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof(hour));
	if (self->sleep == sleep_send)
		setsockopt(self->fd[1], SOL_SOCKET, SO_SNDTIMEO, &hour, sizeof(hour));
}

static void make_listener(struct sleeper *self)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval hour = {.tv_sec = HOUR};

	self->fd[0] = socket(AF_UNIX, SOCK_STREAM, 0);
	// The kernel chooses a name without a file.
	must(bind(self->fd[0], (struct sockaddr *)&address, sizeof(address.sun_family)) == 0,
		"bind");
	must(listen(self->fd[0], 0) == 0, "listen");
	if (self->sleep != sleep_connect) {
		if (strstr(self->name, "timeout"))
			setsockopt(self->fd[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof(hour));
		return;
	}
	// One waits, and then the queue is full.
	must(connect_to(self->fd[0], 0) >= 0, "connect");
	self->id = strstr(self->name, "timeout") ? HOUR : 0;
}

static void make_locked(struct sleeper *self)
{
	char name[] = "/tmp/tracer-test-XXXXXX";

	self->fd[1] = mkstemp(name);
	self->fd[0] = open(name, O_RDWR | O_CLOEXEC);
	must(self->fd[0] >= 0 && unlink(name) == 0 && flock(self->fd[1], LOCK_EX) == 0, "flock");
}

static void make_child(struct sleeper *self)
{
	self->id = fork();
	if (self->id == 0) {
		for (;;)
			pause();
	}
}

static void prepare(struct sleeper *self)
{
	self->data = malloc(LARGE);
	fill(self->data, LARGE);
	if (self->wake == wake_accept || self->wake == wake_connect)
		make_listener(self);
	else if (self->wake == wake_flock)
		make_locked(self);
	else if (self->wake == wake_wait)
		make_child(self);
	else if (self->wake == wake_semop)
		must((self->id = semget(IPC_PRIVATE, 1, 0600)) >= 0, "semget");
	else if (self->wake == wake_msgrcv)
		must((self->id = msgget(IPC_PRIVATE, 0600)) >= 0, "msgget");
	else
		make_pair(self);
}

static void clean_up(struct sleeper *self)
{
	if (self->wake == wake_semop)
		semctl(self->id, 0, IPC_RMID);
	if (self->wake == wake_msgrcv)
		msgctl(self->id, IPC_RMID, NULL);
}

static void *run_sleeper(void *argument)
{
	struct sleeper *self = argument;

	self->tid = (int)syscall(SYS_gettid);
	errno = 0;
	if (!self->sleep(self)) {
		fprintf(stderr, "%s: %s\n", self->name, strerror(errno));
		failures++;
	}
	self->done = true;
	return NULL;
}

static char state_of(int tid)
{
	char path[64], text[256], state = '?';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (file && fgets(text, sizeof(text), file) && strrchr(text, ')'))
		state = strrchr(text, ')')[2];
	if (file)
		fclose(file);
	return state;
}

// In its call, and not stopped for the sake of anybody.
static void wait_for_sleep(struct sleeper *self)
{
	const struct timespec step = {.tv_nsec = 1000000};
	unsigned seen = 0;

	while (seen < 3 && !self->done) {
		nanosleep(&step, NULL);
		seen = self->tid && (state_of(self->tid) == 'S' || self->sleep == sleep_join)
			       ? seen + 1
			       : 0;
	}
}

// Whoever is given the number uses it at once.
static void *use(void *argument)
{
	long number = (long)(intptr_t)argument;
	int fd;

	while ((fd = shared_fd) < 0)
		;
	for (long i = 0; i < USES; i++) {
		if (lseek(fd, number * USES + i, SEEK_SET) != number * USES + i)
			failures++;
	}
	return NULL;
}

// A stop is a switch to others that the thread makes itself.
static const char *count_stops(void)
{
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &before);
	for (unsigned i = 0; i < PLAIN_CALLS; i++)
		syscall(SYS_getppid);
	getrusage(RUSAGE_THREAD, &after);
	return after.ru_nvcsw - before.ru_nvcsw < PLAIN_CALLS / 10 ? "few" : "many";
}

static void say_stops(const char *when)
{
	printf("%s: %s\n", when, count_stops());
}

static void *say_stops_held(void *argument)
{
	say_stops("held by another");
	return argument;
}

static void *say_stops_after(void *argument)
{
	say_stops("after, another");
	return argument;
}

// It was interrupted, and runs past its calls again.
static void *say_stops_at_end(void *argument)
{
	char byte;

	must(read(((int *)argument)[0], &byte, 1) == 1, "read");
	say_stops("after, one that was there");
	return argument;
}

static void block_signals(void)
{
	struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_RESTART};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	// Under a tracer one that is ignored wakes all the same.
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGUSR1, &action, NULL);
}

static int open_shared(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	must(fd >= 0, file);
	return fd;
}

static void run_once(const char *file)
{
	pthread_t users[USERS], last;
	int fd, end[2];

	must(pipe(end) == 0, "pipe");
	must(pthread_create(&last, NULL, say_stops_at_end, end) == 0, "pthread_create");
	for (unsigned i = 0; i < SLEEPERS; i++) {
		prepare(&sleepers[i]);
		must(pthread_create(&sleepers[i].thread, NULL, run_sleeper, &sleepers[i]) == 0,
			"pthread_create");
	}
	for (unsigned i = 0; i < USERS; i++)
		pthread_create(&users[i], NULL, use, (void *)(intptr_t)i);
	for (unsigned i = 0; i < SLEEPERS; i++)
		wait_for_sleep(&sleepers[i]);
	say_stops("before");
	fd = open_shared(file);
	shared_fd = fd;
	for (unsigned i = 0; i < USERS; i++)
		pthread_join(users[i], NULL);
	say_stops("held");
	for (unsigned i = 0; i < SLEEPERS; i++) {
		sleepers[i].wake(&sleepers[i]);
		pthread_join(sleepers[i].thread, NULL);
		clean_up(&sleepers[i]);
	}
	in_thread(say_stops_held);
	close(fd);
	say_stops("after");
	in_thread(say_stops_after);
	must(write(end[1], "x", 1) == 1, "write");
	pthread_join(last, NULL);
}

int main(int argc, char **argv)
{
	must(argc == 2, "usage: sleepers FILE");
	block_signals();
	run_once(argv[1]);
	return failures != 0;
}
