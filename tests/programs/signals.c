// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Gets signals in all ways: a handler, ignored, queued with a value, from a child, and at last
// SIGTERM with its default action: signals

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void on_signal(int number)
{
	seen += number == SIGUSR1 || number == SIGRTMIN + 1;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigset_t chld;
	pid_t child;

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGRTMIN + 1, &action, NULL);
	signal(SIGUSR2, SIG_IGN);
	kill(getpid(), SIGUSR1);
	kill(getpid(), SIGUSR2);
	sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 42});
	if (seen != 2)
		return 1;
	// So that it always comes behind waitpid, not before it if the child is quick.
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	child = fork();
	if (child == 0)
		_exit(3);
	if (waitpid(child, NULL, 0) != child)
		return 1;
	sigprocmask(SIG_UNBLOCK, &chld, NULL);
	kill(getpid(), SIGTERM);
	return 1;
}
