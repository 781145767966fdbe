// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_STOP_H
#define SRC_TRACE_STOP_H

/**
 * What kind of stop a wait status means: decided once, in a pure function
 * (ptrace(2), "Stopped states"). Later code switches on the enum.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"
#include "schema/abi_id.h"

struct tracee;

enum stop_kind {
	/** About to run a system call, or found inside one (in_flight); stop.syscall is filled. */
	STOP_SYSCALL_ENTRY,
	/** A system call ended; stop.syscall.retval is filled. */
	STOP_SYSCALL_EXIT,
	/** A signal will be delivered when the task is resumed; stop.signal and siginfo. */
	STOP_SIGNAL,
	/** The process is stopped by a stopping signal (group-stop); stop.signal. */
	STOP_GROUP,
	/** The task created another; stop.child is its tid, already or soon traced. */
	STOP_CHILD,
	/** The program was replaced; stop.former_tid is the thread that called exec. */
	STOP_EXEC,
	/**
	 * First stop of a task that was launched, attached to or followed. Of one that is
	 * killed before it only the end is seen. It may come before its parent's STOP_CHILD.
	 * stop.computes: attached to while it ran code of its own, outside of any call.
	 */
	STOP_STARTED,
	/** The task was woken out of a group-stop, or stopped for no reason to show. */
	STOP_OTHER,
	/** Gone by exit; stop.status. The tracee is freed at the resume. */
	STOP_EXITED,
	/** Gone by signal; stop.signal and core_dumped. */
	STOP_KILLED,
	/** Gone because another thread executed a program (stop.superseded_by). */
	STOP_SUPERSEDED,
	/** Detached; it runs on without us. */
	STOP_DETACHED,
};

struct stop_syscall {
	enum abi_id abi;
	/** The ABI is one we have no tables for; @number is then only a number. */
	bool abi_unknown;
	uint64_t number;
	uint64_t args[6];
	/** Exit only. */
	int64_t retval;
	bool is_error;
	/** Exit only: another call was made, or none: trace_change_call(). */
	bool is_changed;
	/** Where the task stands, from the same answer. */
	uint64_t ip, sp;
	/**
	 * Entry: the task was inside the call when it was attached to, and will go on with it.
	 * It need not be stopped, if it sleeps so that it cannot be.
	 * Exit: that call ended because the task was stopped, by EINTR, or by a restart code
	 * if a signal came before it could go on.
	 */
	bool in_flight;
};

struct stop {
	enum stop_kind kind;
	struct tracee *tracee;
	/** The raw wait status. */
	int wait_status;
	int signal;
	/** Only valid with @has_siginfo. */
	siginfo_t siginfo;
	bool has_siginfo;
	struct stop_syscall syscall;
	bool computes;
	int child;
	/** STOP_CHILD: CLONE_* flags where they are known, CLONE_VM and CLONE_VFORK at least. */
	uint64_t clone_flags;
	int former_tid;
	int superseded_by;
	int status;
	bool core_dumped;
};

/** The shape of a wait status before anything is asked of the kernel. */
enum wait_kind {
	WAIT_EXITED,
	WAIT_KILLED,
	/** PTRACE_O_TRACESYSGOOD stop. */
	WAIT_SYSCALL,
	WAIT_SECCOMP,
	WAIT_CLONE,
	WAIT_FORK,
	WAIT_VFORK,
	WAIT_VFORK_DONE,
	WAIT_EXEC,
	WAIT_EXIT_EVENT,
	/** PTRACE_EVENT_STOP with a stopping signal. */
	WAIT_GROUP,
	/** PTRACE_EVENT_STOP with SIGTRAP: attached, followed, interrupted or continued. */
	WAIT_TRAP,
	WAIT_SIGNAL,
	WAIT_UNKNOWN,
};

/** Pure: classifies a status of waitpid(2) for a task seized with TRACESYSGOOD. */
enum wait_kind wait_kind_of(int status);

#endif
