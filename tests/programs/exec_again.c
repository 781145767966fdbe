// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// A thread that is not the leader executes this very program, over and over, while others come
// and go. Ends after a minute: exec_again

#include <pthread.h>
#include <unistd.h>

enum {
	OTHERS = 4,
};

static void *wait_a_little(void *argument)
{
	for (;;)
		usleep(10);
	return argument;
}

static void *execute(void *argument)
{
	static char again[] = "again";
	char *command[] = {argument, again, NULL};

	execv(command[0], command);
	_exit(98);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	// It survives the execve.
	if (argc == 1)
		alarm(60);
	for (int i = 0; i < OTHERS; i++)
		pthread_create(&thread, NULL, wait_a_little, NULL);
	pthread_create(&thread, NULL, execute, argv[0]);
	pthread_join(thread, NULL);
	return 1;
}
