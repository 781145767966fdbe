// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// A thread that is not the leader executes a program while others sleep:
// exec_from_thread PROGRAM ARGUMENT…

#include <pthread.h>
#include <unistd.h>

static void *sleep_forever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

static void *execute(void *argument)
{
	char **command = argument;

	// The sleeper falls asleep first, so that traces of two runs are alike.
	usleep(100000);
	execv(command[0], command);
	_exit(98);
}

int main(int argc, char **argv)
{
	pthread_t sleeper, executor;

	if (argc < 2)
		return 2;
	if (pthread_create(&sleeper, NULL, sleep_forever, NULL) ||
		pthread_create(&executor, NULL, execute, argv + 1))
		return 1;
	pthread_join(executor, NULL);
	return 1;
}
