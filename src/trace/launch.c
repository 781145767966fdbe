// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "trace/command.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

// In the child. It waits until it is traced and stopped; if we die before, it leaves.
static _Noreturn void run_child(
	const struct trace *trace, const int go[2], const char *path, char *const argv[])
{
	const char *what;
	char byte;

	close(go[1]);
	while (read(go[0], &byte, 1) < 0 && errno == EINTR)
		;
	sigaction(SIGCHLD, &trace->old_sigchld, NULL);
	sigprocmask(SIG_SETMASK, &trace->old_mask, NULL);
	if (trace->options.supervisor_pid)
		setpgid(0, getpgid(trace->options.supervisor_pid));
	if (trace->program.steps.count)
		seccomp_install(&trace->program, trace->options.no_new_privs);
	startup_execute(&trace->options.startup, path, argv, &what);
	dprintf(STDERR_FILENO, "%s: %s: %s\n", program_invocation_name, what, strerror(errno));
	_exit(1);
}

static struct error *abandon(int tid, struct error *error)
{
	kill(tid, SIGKILL);
	while (waitpid(tid, NULL, __WALL) < 0 && errno == EINTR)
		;
	return error;
}

// Seizes the child and waits for it to stop, wherever it is on its way to the pipe.
static struct error *catch_child(struct trace *trace, int tid)
{
	struct tracee_state *state;
	int status;

	// It is our own child: what forbids this is not about it, but about us.
	if (!ptrace_seize(tid, attach_options(trace)))
		return abandon(tid, error_wrap(error_errno(errno, "PTRACE_SEIZE"),
					    "cannot trace here at all (a container's seccomp "
					    "profile or a security module may forbid it)"));
	ptrace_interrupt(tid);
	while (waitpid(tid, &status, __WALL) < 0) {
		if (errno != EINTR)
			return abandon(tid, error_errno(errno, "wait for the command"));
	}
	state = tracee_create(trace, tid, tid);
	state->launch = LAUNCH_BEFORE_EXEC;
	tracee_count(trace, state);
	collect_status(trace, tid, status);
	trace->launched_tid = tid;
	return NULL;
}

struct error *trace_launch(struct trace *trace, char *const argv[], int *tid_ret)
{
	cleanup_free char *path = NULL;
	cleanup_close int ours = -1, theirs = -1;
	struct error *error = command_find(argv[0], &path);
	int go[2], tid;

	if (error)
		return error;
	if (trace->options.traps) {
		seccomp_build(trace->options.traps, &trace->program);
		trace->may_filter = true;
	}
	if (pipe2(go, O_CLOEXEC) != 0)
		return error_errno(errno, "create a pipe");
	theirs = go[0];
	ours = go[1];
	tid = fork();
	if (tid < 0)
		return error_errno(errno, "fork");
	if (tid == 0)
		run_child(trace, go, path, argv);
	error = catch_child(trace, tid);
	if (error)
		return error;
	// The pipe takes a byte without blocking. Without one it would end the child.
	if (write(ours, "", 1) != 1)
		return error_errno(errno, "write to a pipe");
	*tid_ret = tid;
	return NULL;
}
