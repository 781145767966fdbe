// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// With real children, traced, and real signals.

#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/interruptible_wait.h"

enum {
	CALLS = 3000,
};

static void block_sigchld(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

// Stops before it makes CALLS system calls and exits.
static int caller(void)
{
	int child = fork(), status;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		syscall(SYS_exit_group, 0);
	}
	assert_int_equal(waitpid(child, &status, __WALL), child);
	assert_true(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	return child;
}

/** How a child ran to its end. */
struct run {
	unsigned stops, rings, beats;
};

static struct run run_caller(void)
{
	struct run run = {0};
	int child = caller();
	// Of the stop it is in.
	int status = W_STOPCODE(SIGSTOP);

	ptrace(PTRACE_SYSCALL, child, NULL, NULL);
	do {
		int tid = interruptible_wait(&status);

		if (tid < 0) {
			assert_int_equal(errno, EINTR);
			run.rings++;
			run.beats += interruptible_take() == INTERRUPTIBLE_TIMER;
			continue;
		}
		assert_int_equal(tid, child);
		run.stops += WIFSTOPPED(status);
		if (WIFSTOPPED(status))
			ptrace(PTRACE_SYSCALL, child, NULL, NULL);
	} while (!WIFEXITED(status));
	// Its end has rung, perhaps after the status was taken.
	interruptible_take();
	return run;
}

CASE(stops_do_not_ring)
{
	struct run run;

	block_sigchld();
	interruptible_begin();
	interruptible_take();
	run = run_caller();
	// Entry and exit of each, after the rest of raise(), and the entry of the last.
	assert_true(run.stops > 2 * CALLS && run.stops < 2 * CALLS + 10);
	assert_true(run.rings <= 1);
	assert_true(interruptible_end());
}

// Timers ring while the wait begins, blocks and ends: no status may be lost, or the child would
// stay stopped for ever.
CASE(no_status_is_lost_to_a_ring)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCHLD};
	struct run quiet, loud = {0};
	timer_t timer;

	block_sigchld();
	interruptible_begin();
	quiet = run_caller();
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	for (unsigned i = 0; i < 20; i++) {
		// No multiple of what a stop takes.
		const struct timespec period = {.tv_nsec = 40001 + 3977 * i};
		const struct itimerspec spec = {.it_interval = period, .it_value = period};

		timer_settime(timer, 0, &spec, NULL);
		loud = run_caller();
		assert_int_equal(loud.stops, quiet.stops);
	}
	assert_true(loud.beats > 0);
	timer_delete(timer);
	interruptible_end();
}

// Each ring comes once, sooner or later on the way into the wait. If one were missed, the wait
// would not end.
CASE(no_ring_is_missed)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCHLD};
	timer_t timer;
	int child, status;

	block_sigchld();
	interruptible_begin();
	child = caller();
	interruptible_take();
	alarm(60);
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	for (unsigned i = 0; i < 5000; i++) {
		const struct itimerspec spec = {.it_value.tv_nsec = 1 + i % 200 * 50};

		timer_settime(timer, 0, &spec, NULL);
		assert_int_equal(interruptible_wait(&status), -1);
		assert_int_equal(errno, EINTR);
		assert_int_equal(interruptible_take(), INTERRUPTIBLE_TIMER);
	}
	alarm(0);
	timer_delete(timer);
	kill(child, SIGKILL);
	while (interruptible_wait(&status) != child)
		interruptible_take();
	interruptible_end();
}

CASE(a_ring_before_the_wait_ends_it)
{
	int child, status;

	block_sigchld();
	interruptible_begin();
	child = caller();
	interruptible_take();
	raise(SIGCHLD);
	// The child is stopped and was seen to be: without the ring this would last for ever.
	assert_int_equal(interruptible_wait(&status), -1);
	assert_int_equal(errno, EINTR);
	assert_int_equal(interruptible_take(), INTERRUPTIBLE_SIGNAL);
	assert_int_equal(interruptible_take(), INTERRUPTIBLE_NO_SIGNAL);
	kill(child, SIGKILL);
	while (interruptible_wait(&status) != child)
		interruptible_take();
	interruptible_end();
}

CASE(a_child_that_is_not_traced_is_nobody)
{
	int child, status;

	block_sigchld();
	interruptible_begin();
	interruptible_take();
	child = fork();
	if (!child)
		_exit(3);
	assert_int_equal(waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
	while (interruptible_take() != INTERRUPTIBLE_NO_SIGNAL)
		;
	assert_int_equal(interruptible_wait(&status), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 3);
	interruptible_end();
}

CASE(taken_down_it_is_as_before)
{
	struct sigaction action;
	sigset_t pending;

	block_sigchld();
	interruptible_begin();
	assert_true(interruptible_end());
	assert_false(interruptible_end());
	raise(SIGCHLD);
	assert_int_equal(interruptible_take(), INTERRUPTIBLE_NO_SIGNAL);
	sigpending(&pending);
	assert_true(sigismember(&pending, SIGCHLD));
	sigaction(SIGCHLD, NULL, &action);
	assert_true(action.sa_handler == SIG_DFL && !(action.sa_flags & SA_NOCLDSTOP));
}

RUN_CASES(ADD(stops_do_not_ring), ADD(no_status_is_lost_to_a_ring), ADD(no_ring_is_missed),
	ADD(a_ring_before_the_wait_ends_it), ADD(a_child_that_is_not_traced_is_nobody),
	ADD(taken_down_it_is_as_before));
