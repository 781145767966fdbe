// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/interruptible_wait.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "abi/native.h"

// What a signal handler can reach is global.
static volatile sig_atomic_t interrupted;
static bool unblocked;
static void (*volatile on_beat)(void *context);
static void *volatile beat_context;

// In the assembler file, which tells about them.
long interruptible_call(const long call[5], volatile sig_atomic_t *interrupted_at);
extern const char interruptible_call_begin[], interruptible_call_end[],
	interruptible_call_interrupted[];

_Static_assert(EINTR == 4 && sizeof(sig_atomic_t) == 4 && sizeof(long) == 8, "as written there");

static void on_sigchld(int signal, siginfo_t *info, void *context)
{
	ucontext_t *user = context;
	uintptr_t pc = native_pc(user);
	int code = errno;

	(void)signal;
	if (info->si_code == SI_TIMER)
		interrupted = INTERRUPTIBLE_TIMER;
	else if (interrupted == INTERRUPTIBLE_NO_SIGNAL)
		interrupted = INTERRUPTIBLE_SIGNAL;
	if (pc >= (uintptr_t)interruptible_call_begin && pc < (uintptr_t)interruptible_call_end)
		native_set_pc(user, (uintptr_t)interruptible_call_interrupted);
	if (info->si_code == SI_TIMER && on_beat)
		on_beat(beat_context);
	errno = code;
}

static void set_blocked(bool blocked)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void interruptible_begin(void)
{
	struct sigaction action = {
		.sa_sigaction = on_sigchld,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP,
	};

	if (unblocked)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
	unblocked = true;
	set_blocked(false);
}

bool interruptible_end(void)
{
	const struct sigaction action = {.sa_handler = SIG_DFL};

	if (!unblocked)
		return false;
	set_blocked(true);
	unblocked = false;
	sigaction(SIGCHLD, &action, NULL);
	return true;
}

void interruptible_on_beat(void (*call)(void *context), void *context)
{
	on_beat = NULL;
	beat_context = context;
	on_beat = call;
}

static long call(long number, long first, long second, long third, long fourth)
{
	const long words[] = {number, first, second, third, fourth};
	long ret = interruptible_call(words, &interrupted);

	if (ret >= 0)
		return ret;
	errno = (int)-ret;
	return -1;
}

int interruptible_wait(int *status_ret)
{
	return (int)call(SYS_wait4, -1, (long)(uintptr_t)status_ret, __WCLONE, 0);
}

bool interruptible_seize(int tid, unsigned long options)
{
	return call(SYS_ptrace, PTRACE_SEIZE, tid, 0, (long)options) == 0;
}

bool interruptible_is_interrupted(void)
{
	return interrupted != INTERRUPTIBLE_NO_SIGNAL;
}

enum interruptible_cause interruptible_take(void)
{
	// One that comes in between is for those who look next, who look at all there is.
	enum interruptible_cause ret = (enum interruptible_cause)interrupted;

	interrupted = INTERRUPTIBLE_NO_SIGNAL;
	return ret;
}
