// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/bell.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>

// What a signal handler can reach is global.
static volatile sig_atomic_t rung;
static bool hangs;

// In bell_call.S, which tells about them.
long bell_call(const long call[5], volatile sig_atomic_t *rung_at);
extern const char bell_call_begin[], bell_call_end[], bell_call_rung[];

_Static_assert(EINTR == 4 && sizeof(sig_atomic_t) == 4 && sizeof(long) == 8, "as written there");

static void ring(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	greg_t *pc = &interrupted->uc_mcontext.gregs[REG_RIP];

	(void)signal;
	if (info->si_code == SI_TIMER)
		rung = BELL_BEAT;
	else if (rung == BELL_SILENT)
		rung = BELL_RUNG;
	if ((uintptr_t)*pc >= (uintptr_t)bell_call_begin &&
		(uintptr_t)*pc < (uintptr_t)bell_call_end)
		*pc = (greg_t)(uintptr_t)bell_call_rung;
}

static void set_blocked(bool blocked)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void bell_hang_up(void)
{
	struct sigaction action = {
		.sa_sigaction = ring,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP,
	};

	if (hangs)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGCHLD, &action, NULL);
	hangs = true;
	set_blocked(false);
}

bool bell_take_down(void)
{
	const struct sigaction action = {.sa_handler = SIG_DFL};

	if (!hangs)
		return false;
	set_blocked(true);
	hangs = false;
	sigaction(SIGCHLD, &action, NULL);
	return true;
}

static long call(long number, long first, long second, long third, long fourth)
{
	const long words[] = {number, first, second, third, fourth};
	long ret = bell_call(words, &rung);

	if (ret >= 0)
		return ret;
	errno = (int)-ret;
	return -1;
}

int bell_wait(int *status_ret)
{
	return (int)call(SYS_wait4, -1, (long)(uintptr_t)status_ret, __WCLONE, 0);
}

bool bell_seize(int tid, unsigned long options)
{
	return call(SYS_ptrace, PTRACE_SEIZE, tid, 0, (long)options) == 0;
}

bool bell_has_rung(void)
{
	return rung != BELL_SILENT;
}

enum bell_rung bell_take(void)
{
	// One that comes in between is for those who look next, who look at all there is.
	enum bell_rung ret = (enum bell_rung)rung;

	rung = BELL_SILENT;
	return ret;
}
