// SPDX-License-Identifier: MIT
// Copyright the tracer authors
//
// Threads that pass bytes on and on by calls that an interruption may break, while a file is
// opened, used and closed, in ROUNDS new processes:
//
//   stirred FILE ROUNDS
//
// Each thread says what was wrong on standard error, and then the exit status is 1.

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupted.h"

enum {
	OPENINGS = 7,
};

static _Atomic int failures;

static void *return_at_once(void *argument)
{
	return argument;
}

// Two threads that pass a byte on and on, and two that pass much: by calls that an interruption
// may break.
struct game {
	int bell[2], bytes[2], torn[2], messages[2], semaphores;
	/** Threads that get signals: in a call that ends by one, and while they write. */
	pthread_t woken, disturbed;
	_Atomic bool has_woken, has_disturbed;
	_Atomic bool end;
	_Atomic long rounds;
};

static void expect(bool is_so, const char *what)
{
	if (is_so)
		return;
	perror(what);
	failures++;
}

static void *serve(void *argument)
{
	struct game *game = argument;
	struct sembuf up = {.sem_op = 1};

	for (bool last = false; !last;) {
		last = game->end;
		expect(write(game->bell[1], last ? "l" : "x", 1) == 1, "write");
		expect(semop(game->semaphores, &up, 1) == 0, "semop up");
		up.sem_num = 1;
		up.sem_op = -1;
		expect(semop(game->semaphores, &up, 1) == 0, "semop down");
		up = (struct sembuf){.sem_op = 1};
	}
	return NULL;
}

static void *receive(void *argument)
{
	struct game *game = argument;
	struct sembuf down = {.sem_op = -1}, up = {.sem_num = 1, .sem_op = 1};
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	char byte = 0;

	epoll_ctl(epoll, EPOLL_CTL_ADD, game->bell[0], &event);
	while (byte != 'l') {
		expect(epoll_wait(epoll, &event, 1, -1) == 1, "epoll_wait");
		expect(semop(game->semaphores, &down, 1) == 0, "semop");
		expect(read(game->bell[0], &byte, 1) == 1, "read");
		expect(semop(game->semaphores, &up, 1) == 0, "semop up");
		game->rounds++;
	}
	return NULL;
}

static void *send_much(void *argument)
{
	struct game *game = argument;
	char *data = malloc(LARGE);

	fill(data, LARGE);
	while (!game->end)
		expect(write(game->bytes[1], data, LARGE) == LARGE, "large write");
	close(game->bytes[1]);
	free(data);
	return NULL;
}

static void let_usr1_through(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// What is written is what the calls say, wherever a signal ends them.
static void *send_torn(void *argument)
{
	struct game *game = argument;
	char *data = malloc(LARGE);
	size_t at = 0;

	fill(data, LARGE);
	let_usr1_through();
	game->disturbed = pthread_self();
	game->has_disturbed = true;
	while (!game->end) {
		int before = handled;
		ssize_t written = write(game->torn[1], data + at, LARGE - at);

		expect(written == (ssize_t)(LARGE - at) || (written > 0 && handled != before),
			"torn write");
		at = written > 0 ? (at + (size_t)written) % LARGE : at;
	}
	close(game->torn[1]);
	free(data);
	return NULL;
}

static void take_much(struct game *game, int fd)
{
	char *data = malloc(LARGE), *found = malloc(LARGE);
	ssize_t got;

	fill(data, LARGE);
	for (size_t at = 0; (got = read(fd, found, LARGE - at)) > 0;
		at = (at + (size_t)got) % LARGE) {
		expect(memcmp(data + at, found, (size_t)got) == 0, "other bytes");
		game->rounds++;
	}
	free(data);
	free(found);
}

static void *receive_much(void *argument)
{
	struct game *game = argument;

	take_much(game, game->bytes[0]);
	return NULL;
}

static void *receive_torn(void *argument)
{
	struct game *game = argument;

	take_much(game, game->torn[0]);
	return NULL;
}

// Each signal ends one call, and nothing else does.
static void *be_woken(void *argument)
{
	struct game *game = argument;
	struct epoll_event event;
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigdelset(&mask, SIGUSR1);
	game->woken = pthread_self();
	game->has_woken = true;
	while (!game->end) {
		int before = handled;
		int ret = epoll_pwait(epoll, &event, 1, HOUR * 1000, &mask);

		expect(ret == -1 && errno == EINTR && handled == before + 1, "epoll_pwait");
	}
	game->has_woken = false;
	close(epoll);
	return NULL;
}

static void *disturb(void *argument)
{
	const struct timespec moment = {.tv_nsec = 100000};
	struct game *game = argument;

	while ((!game->has_disturbed || !game->has_woken) && !game->end)
		nanosleep(&moment, NULL);
	while (!game->end) {
		pthread_kill(game->disturbed, SIGUSR1);
		pthread_kill(game->woken, SIGUSR1);
		nanosleep(&moment, NULL);
	}
	while (game->has_woken) {
		pthread_kill(game->woken, SIGUSR1);
		nanosleep(&moment, NULL);
	}
	return NULL;
}

// By a call that stops for the filter, as a descriptor may come by it, and then sleeps.
static void *send_messages(void *argument)
{
	struct game *game = argument;
	char byte = 0;

	for (bool last = false; !last;) {
		last = game->end;
		expect(write(game->messages[1], last ? "l" : "x", 1) == 1, "write");
		expect(read(game->messages[1], &byte, 1) == 1, "read");
	}
	return NULL;
}

static void *receive_messages(void *argument)
{
	struct game *game = argument;
	char byte = 0;
	struct iovec vec = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &vec, .msg_iovlen = 1};

	while (byte != 'l') {
		expect(recvmsg(game->messages[0], &message, 0) == 1, "recvmsg");
		expect(write(game->messages[0], &byte, 1) == 1, "write");
		game->rounds++;
	}
	return NULL;
}

// Threads of a moment, who see a change in all stages of their lives.
static void *come_and_go(void *argument)
{
	struct game *game = argument;

	while (!game->end)
		in_thread(return_at_once);
	return NULL;
}

static void play(const char *file)
{
	// Whoever sends signals ends first.
	void *(*const players[])(void *) = {disturb, serve, receive, send_much, receive_much,
		send_torn, receive_torn, be_woken, send_messages, receive_messages, come_and_go};
	const struct timeval hour = {.tv_sec = HOUR};
	struct game game = {.semaphores = semget(IPC_PRIVATE, 2, 0600)};
	pthread_t threads[sizeof(players) / sizeof(players[0])];
	size_t count = sizeof(players) / sizeof(players[0]);

	must(pipe(game.bell) == 0 && pipe(game.bytes) == 0 && pipe(game.torn) == 0 &&
			game.semaphores >= 0,
		"play");
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, game.messages) == 0, "socketpair");
	setsockopt(game.messages[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof(hour));
	for (size_t i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, players[i], &game);
	for (unsigned i = 0; i < OPENINGS; i++) {
		long until = game.rounds + 10;
		int fd;

		while (game.rounds < until)
			sched_yield();
		fd = open(file, O_RDONLY | O_CLOEXEC);
		must(fd >= 0, file);
		lseek(fd, i, SEEK_SET);
		until = game.rounds + 3;
		while (game.rounds < until)
			sched_yield();
		close(fd);
	}
	game.end = true;
	for (size_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	semctl(game.semaphores, 0, IPC_RMID);
}

static void play_rounds(const char *file, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		int status, child = fork();

		if (child == 0) {
			play(file);
			exit(failures != 0);
		}
		waitpid(child, &status, 0);
		failures += status != 0;
	}
}

static void handle_signals(void)
{
	struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_RESTART};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGUSR1, &action, NULL);
}

int main(int argc, char **argv)
{
	must(argc == 3, "usage: stirred FILE ROUNDS");
	handle_signals();
	play_rounds(argv[1], atoi(argv[2]));
	return failures != 0;
}
