// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// A process to attach to: THREADS threads count until standard input ends, then it prints
// the sum and exits with status 5. Prints "ready" when all of them run.

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_long sum;
static atomic_bool ended;
static pthread_barrier_t all_run;

static void *count(void *argument)
{
	struct timespec pause = {.tv_nsec = 1000000};

	pthread_barrier_wait(&all_run);
	while (!ended) {
		sum++;
		nanosleep(&pause, NULL);
	}
	return argument;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 3;
	pthread_t *ids = calloc((size_t)threads, sizeof(*ids));
	char byte;

	pthread_barrier_init(&all_run, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, count, NULL))
			return 1;
	}
	pthread_barrier_wait(&all_run);
	puts("ready");
	fflush(stdout);
	// A byte asks for the sum so far; the end of input ends the process.
	while (read(STDIN_FILENO, &byte, 1) > 0) {
		printf("%ld\n", (long)sum);
		fflush(stdout);
	}
	ended = true;
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	return 5;
}
