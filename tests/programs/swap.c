// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Code that changes under one's feet: swap LIBRARY... By commands on standard input the first
// thread acts with the library that is loaded (a), or has the next one loaded in its place by
// another thread (t) or by a child that shares its memory (v). Answers with the address.

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static char **libraries;
static void *library;
static int (*act)(void);
static sem_t asked, done;

static void load_next(void)
{
	if (library)
		dlclose(library);
	library = dlopen(*libraries++, RTLD_NOW);
	if (library)
		*(void **)&act = dlsym(library, "act");
}

static void *serve(void *argument)
{
	for (;;) {
		sem_wait(&asked);
		load_next();
		sem_post(&done);
	}
	return argument;
}

static int load_in_child(void *argument)
{
	(void)argument;
	load_next();
	return 0;
}

static void swap_in_child(void)
{
	enum { STACK = 256 * 1024 };
	char *stack = malloc(STACK);
	int pid = clone(load_in_child, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

	waitpid(pid, NULL, 0);
	free(stack);
}

int main(int argc, char *argv[])
{
	pthread_t thread;
	int command;

	(void)argc;
	libraries = argv + 1;
	sem_init(&asked, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, serve, NULL);
	load_next();
	while ((command = getchar()) != EOF) {
		switch (command) {
		case 'a':
			act();
			break;
		case 't':
			sem_post(&asked);
			sem_wait(&done);
			break;
		case 'v':
			swap_in_child();
			break;
		default:
			continue;
		}
		printf("%c %p\n", command, (void *)act);
		fflush(stdout);
	}
	return 0;
}
