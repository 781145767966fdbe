// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_PTRACE_H
#define SRC_TRACE_PTRACE_H

/**
 * One typed function per request of ptrace(2). All return whether it succeeded;
 * errno says why not. ESRCH means that the task is not stopped any more: it was
 * killed, which can happen at any moment and is no error.
 */

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct regs;

/** Where a task stands, from PTRACE_GET_SYSCALL_INFO (Linux 5.3). */
struct ptrace_place {
	enum {
		/** Not at a system call. */
		PTRACE_PLACE_NONE,
		PTRACE_PLACE_ENTRY,
		PTRACE_PLACE_EXIT,
		/** At an entry, stopped by a seccomp filter. */
		PTRACE_PLACE_SECCOMP,
	} kind;
	/** AUDIT_ARCH_*. */
	uint32_t audit_arch;
	uint64_t ip, sp;
	/** Entry and seccomp only. */
	uint64_t number, args[6];
	/** Seccomp only: what the filter said (SECCOMP_RET_DATA). */
	uint32_t mark;
	/** Exit only. */
	int64_t retval;
	bool is_error;
};

bool ptrace_seize(int tid, unsigned long options);
/** Makes a running task stop soon; it then reports WAIT_TRAP (or whatever comes first). */
bool ptrace_interrupt(int tid);
/** Lets a task in group-stop stay there, and report when it is woken. */
bool ptrace_listen(int tid);
/** Runs on to the next system call's entry or exit; @signal is delivered if not 0. */
bool ptrace_syscall(int tid, int signal);
/** Runs on; stops at system calls only where a seccomp filter says so. */
bool ptrace_continue(int tid, int signal);
bool ptrace_set_options(int tid, unsigned long options);
bool ptrace_detach(int tid, int signal);
bool ptrace_event_message(int tid, unsigned long *ret);
bool ptrace_siginfo(int tid, siginfo_t *ret);
bool ptrace_place(int tid, struct ptrace_place *ret);
/**
 * At a call's entry: another number; at its exit: another result, minus the errno if it
 * @is_error. By PTRACE_SET_SYSCALL_INFO (Linux 6.16): EIO before that.
 */
bool ptrace_set_number(int tid, uint64_t number);
bool ptrace_set_result(int tid, int64_t result, bool is_error);
/** General registers (PTRACE_GETREGSET, NT_PRSTATUS). */
bool ptrace_regs(int tid, struct regs *ret);
/** Stores what was changed in @regs since then (PTRACE_SETREGSET), and no register after it. */
bool ptrace_set_regs(int tid, struct regs *regs);

#endif
