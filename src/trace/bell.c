// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/bell.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <ucontext.h>

#ifndef __x86_64__
#error "bell_wait4() has to be written for this architecture"
#endif

// What a signal handler can reach is global.
static volatile sig_atomic_t rung;
static bool hangs;

// long bell_wait4(long pid, int *status, long options, void *rusage, volatile sig_atomic_t *rung):
// the system call wait4, or -EINTR if *rung. Interrupted at bell_wait4_begin or later, but before
// bell_wait4_end, nothing has happened yet: either it did not begin, or the kernel put it off
// to run the handler, and would begin it again (SA_RESTART).
__asm__(".pushsection .text\n"
	".local bell_wait4\n"
	".type bell_wait4, @function\n"
	"bell_wait4:\n"
	"	.cfi_startproc\n"
	"	movl $61, %eax\n"
	"	movq %rcx, %r10\n"
	"bell_wait4_begin:\n"
	"	cmpl $0, (%r8)\n"
	"	jne bell_wait4_rung\n"
	"	syscall\n"
	"bell_wait4_end:\n"
	"	ret\n"
	"bell_wait4_rung:\n"
	"	movq $-4, %rax\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size bell_wait4, . - bell_wait4\n"
	".popsection\n");

long bell_wait4(long pid, int *status, long options, void *rusage, volatile sig_atomic_t *rung_at);
extern const char bell_wait4_begin[], bell_wait4_end[], bell_wait4_rung[];

_Static_assert(EINTR == 4 && sizeof(sig_atomic_t) == 4, "as written above");

static void ring(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	greg_t *pc = &interrupted->uc_mcontext.gregs[REG_RIP];

	(void)signal;
	if (info->si_code == SI_TIMER)
		rung = BELL_BEAT;
	else if (rung == BELL_SILENT)
		rung = BELL_RUNG;
	if ((uintptr_t)*pc >= (uintptr_t)bell_wait4_begin &&
		(uintptr_t)*pc < (uintptr_t)bell_wait4_end)
		*pc = (greg_t)(uintptr_t)bell_wait4_rung;
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

int bell_wait(int *status_ret)
{
	long tid = bell_wait4(-1, status_ret, __WCLONE, NULL, &rung);

	if (tid >= 0)
		return (int)tid;
	errno = (int)-tid;
	return -1;
}

enum bell_rung bell_take(void)
{
	// One that comes in between is for those who look next, who look at all there is.
	enum bell_rung ret = (enum bell_rung)rung;

	rung = BELL_SILENT;
	return ret;
}
