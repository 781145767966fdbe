// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_PROGRAMS_INTERRUPTED_H
#define TESTS_PROGRAMS_INTERRUPTED_H

/**
 * For programs of threads whose calls a tracer may interrupt: what they write and read, and
 * signals that they count.
 */

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	/** Bytes; more than pipes and sockets hold, unless told to. */
	LARGE = 1 << 20,
	/** Seconds; longer than a test runs. */
	HOUR = 3600,
};

/** SIGUSR1 that this thread has handled. */
static _Thread_local volatile sig_atomic_t handled;

static inline void on_usr1(int number)
{
	(void)number;
	handled++;
}

/** Ends the program, which cannot go on, if not @is_so. */
static inline void must(bool is_so, const char *what)
{
	if (is_so)
		return;
	perror(what);
	exit(2);
}

/** Bytes that differ from those at other places. */
static inline void fill(char *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		data[i] = (char)(i * 7 + i / 251);
}

/** Runs @function in a new thread and waits for its end. */
static inline void in_thread(void *(*function)(void *))
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, function, NULL) == 0, "pthread_create");
	pthread_join(thread, NULL);
}

#endif
