// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/stop.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

static enum wait_kind event_kind(int event, int signal)
{
	switch (event) {
	case PTRACE_EVENT_CLONE:
		return WAIT_CLONE;
	case PTRACE_EVENT_FORK:
		return WAIT_FORK;
	case PTRACE_EVENT_VFORK:
		return WAIT_VFORK;
	case PTRACE_EVENT_VFORK_DONE:
		return WAIT_VFORK_DONE;
	case PTRACE_EVENT_EXEC:
		return WAIT_EXEC;
	case PTRACE_EVENT_EXIT:
		return WAIT_EXIT_EVENT;
	case PTRACE_EVENT_SECCOMP:
		return WAIT_SECCOMP;
	case PTRACE_EVENT_STOP:
		return signal == SIGTRAP ? WAIT_TRAP : WAIT_GROUP;
	default:
		return WAIT_UNKNOWN;
	}
}

enum wait_kind wait_kind_of(int status)
{
	int event = (unsigned)status >> 16;

	if (WIFEXITED(status))
		return WAIT_EXITED;
	if (WIFSIGNALED(status))
		return WAIT_KILLED;
	if (!WIFSTOPPED(status))
		return WAIT_UNKNOWN;
	if (event)
		return event_kind(event, WSTOPSIG(status));
	return WSTOPSIG(status) == (SIGTRAP | 0x80) ? WAIT_SYSCALL : WAIT_SIGNAL;
}
