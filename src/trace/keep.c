// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/keep.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "trace/ptrace.h"
#include "trace/seccomp.h"
#include "trace/stop.h"

void keep_resume(int tid, int status)
{
	enum wait_kind kind = wait_kind_of(status);
	struct ptrace_place place;

	if (kind == WAIT_GROUP) {
		ptrace_listen(tid);
		return;
	}
	if (kind == WAIT_SECCOMP && ptrace_place(tid, &place))
		seccomp_settle(tid, &place);
	ptrace_continue(tid, kind == WAIT_SIGNAL ? WSTOPSIG(status) : 0);
}

// Traced tasks match __WCLONE too, other children do not (see collect.c).
bool keep_any(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WCLONE) == 0;
}

static bool serve_one(int flags)
{
	int status;
	int tid = wait4(-1, &status, __WCLONE | flags, NULL);

	if (tid > 0 && WIFSTOPPED(status))
		keep_resume(tid, status);
	return tid > 0;
}

static void serve_for(int milliseconds)
{
	enum { STEP = 5 };
	const struct timespec step = {.tv_nsec = STEP * 1000 * 1000};

	while (milliseconds > 0 && keep_any()) {
		if (serve_one(WNOHANG))
			continue;
		nanosleep(&step, NULL);
		milliseconds -= STEP;
	}
}

void keep_serve(int milliseconds)
{
	if (milliseconds >= 0) {
		serve_for(milliseconds);
		return;
	}
	while (serve_one(0) || errno == EINTR)
		;
}
