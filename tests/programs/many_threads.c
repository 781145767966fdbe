// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// THREADS threads make CALLS getppid calls each and end: many_threads THREADS CALLS

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *make_calls(void *argument)
{
	long calls = *(const long *)argument;

	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : 100;
	long calls = argc > 2 ? atol(argv[2]) : 1000;
	pthread_t *ids = calloc((size_t)threads, sizeof(*ids));

	for (long i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, make_calls, &calls))
			return 1;
	}
	for (long i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	return 0;
}
