// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdio.h>
#include <sys/ptrace.h>

#include "trace/stop.h"
#include "unit.h"

// The encoding of a status is the kernel's (wait(2), ptrace(2)): the low byte is 0x7f for a stop,
// the next one the signal, above them the event; for an end it is status << 8 or the signal.
#define STOPPED(signal) ((signal) << 8 | 0x7f)
#define EVENT(event, signal) ((event) << 16 | STOPPED(signal))

struct row {
	const char *fact;
	int status;
	enum wait_kind kind;
};

static const struct row rows[] = {
	{"exit(0)", 0, WAIT_EXITED},
	{"exit(255)", 255 << 8, WAIT_EXITED},
	{"killed by SIGKILL", SIGKILL, WAIT_KILLED},
	{"SIGSEGV with a core", SIGSEGV | 0x80, WAIT_KILLED},
	{"killed by the last real-time signal", 64, WAIT_KILLED},
	{"system call", STOPPED(SIGTRAP | 0x80), WAIT_SYSCALL},
	{"a breakpoint's SIGTRAP is a signal", STOPPED(SIGTRAP), WAIT_SIGNAL},
	{"SIGUSR1", STOPPED(SIGUSR1), WAIT_SIGNAL},
	{"SIGSTOP on its way is a signal", STOPPED(SIGSTOP), WAIT_SIGNAL},
	{"a real-time signal", STOPPED(64), WAIT_SIGNAL},
	{"fork", EVENT(PTRACE_EVENT_FORK, SIGTRAP), WAIT_FORK},
	{"vfork", EVENT(PTRACE_EVENT_VFORK, SIGTRAP), WAIT_VFORK},
	{"clone", EVENT(PTRACE_EVENT_CLONE, SIGTRAP), WAIT_CLONE},
	{"exec", EVENT(PTRACE_EVENT_EXEC, SIGTRAP), WAIT_EXEC},
	{"vfork's child let go", EVENT(PTRACE_EVENT_VFORK_DONE, SIGTRAP), WAIT_VFORK_DONE},
	{"about to exit", EVENT(PTRACE_EVENT_EXIT, SIGTRAP), WAIT_EXIT_EVENT},
	{"seccomp", EVENT(PTRACE_EVENT_SECCOMP, SIGTRAP), WAIT_SECCOMP},
	{"interrupted", EVENT(PTRACE_EVENT_STOP, SIGTRAP), WAIT_TRAP},
	{"group-stop by SIGSTOP", EVENT(PTRACE_EVENT_STOP, SIGSTOP), WAIT_GROUP},
	{"group-stop by SIGTSTP", EVENT(PTRACE_EVENT_STOP, SIGTSTP), WAIT_GROUP},
	{"group-stop by SIGTTIN", EVENT(PTRACE_EVENT_STOP, SIGTTIN), WAIT_GROUP},
	{"group-stop by SIGTTOU", EVENT(PTRACE_EVENT_STOP, SIGTTOU), WAIT_GROUP},
	{"an event of a later kernel", EVENT(9, SIGTRAP), WAIT_UNKNOWN},
	{"continued, which we never ask for", 0xffff, WAIT_UNKNOWN},
};

CASE(every_status_has_its_kind)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum wait_kind kind = wait_kind_of(rows[i].status);

		if (kind != rows[i].kind)
			fail_msg("%s: kind %d, not %d", rows[i].fact, kind, rows[i].kind);
	}
}

CASE(no_status_is_out_of_range)
{
	for (int status = -70000; status < 1 << 24; status += 37)
		assert_in_range(wait_kind_of(status), WAIT_EXITED, WAIT_UNKNOWN);
}

RUN_CASES(ADD(every_status_has_its_kind), ADD(no_status_is_out_of_range));
