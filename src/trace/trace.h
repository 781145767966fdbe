// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_TRACE_H
#define SRC_TRACE_TRACE_H

/**
 * Process control by ptrace: starts or attaches to tasks, hands out their stops
 * one by one in a fair order, resumes them. It knows nothing of values, names or
 * output. Every stop handed out must be given back to trace_resume().
 *
 *   for (;;) {
 *           switch (trace_next(trace, &stop)) { … }
 *           …
 *           trace_resume(trace, &stop);
 *   }
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/schedule.h"
#include "trace/startup.h"
#include "trace/stop.h"
#include "trace/tracee.h"

struct error;
struct residual_tracer;
struct seccomp_traps;
struct syscall_set;
struct trace;

struct trace_options {
	/** -f: follow children and threads. */
	bool follow;
	/** Signals that would end us are left to the command; they do nothing here. */
	bool leave_signals;
	/**
	 * Calls to stop at, NULL means all; it must outlive the trace. The execve that starts
	 * a command is left out too if it is not wanted. Calls of an ABI that we do not know
	 * are always stopped at.
	 */
	const struct syscall_set *wanted;
	/**
	 * The command of trace_launch() gets a seccomp filter that stops at these calls only;
	 * NULL for none. A task that trace_watch() is on stops at all @wanted calls, any other
	 * only at those that are in both. Nothing may be attached to then. The filter outlives
	 * us: see trace_filters().
	 */
	const struct seccomp_traps *traps;
	/** How the command of trace_launch() starts. */
	struct startup startup;
	/** The command dies when we are killed. */
	bool kill_on_exit;
	/** SIGTSTP does not stop us. */
	bool never_stops;
	/** The filter is allowed only together with no_new_privs. */
	bool no_new_privs;
	/** A signal that asks for something without ending us, see TRACE_ASKED; 0 for none. */
	int asking_signal;
	/** The process that the user sees (trace/supervisor.h), or 0 if that is us. */
	int supervisor_pid;
	/** Where it is told how to end. */
	int supervisor_pipe;
	/** On which CPU we run. */
	enum schedule_choice scheduling;
	/** Called with @context before a running task is attached to; may be NULL. */
	void (*attaching)(void *context, int tid);
	/**
	 * Whether something else than a stop is to be handled; may be NULL. Asked whenever a
	 * signal was waited for, and a SIGCHLD sent to our thread ends the wait.
	 */
	bool (*woken)(void *context);
	/**
	 * Whether a signal is nothing to the task it stopped, which then goes on without it and
	 * without a stop being handed out; may be NULL.
	 */
	bool (*swallow)(void *context, const siginfo_t *info);
	void *context;
};

enum trace_result {
	/** *ret holds a stop. */
	TRACE_STOP,
	/**
	 * Nothing came for 10 to 20 milliseconds: a moment to flush. Said once, until a stop
	 * was handed out again; the next call blocks.
	 */
	TRACE_IDLE,
	/** trace_options.woken said so. */
	TRACE_WOKEN,
	/**
	 * A signal asks us to end (SIGINT, SIGTERM, SIGHUP …), see trace_signal(); or the
	 * supervisor is gone, then that is 0.
	 */
	TRACE_INTERRUPTED,
	/** The asking signal came. */
	TRACE_ASKED,
	/** No task is left. */
	TRACE_DONE,
};

/**
 * @options is copied. Blocks the signals that end us (those that are not ignored) and
 * SIGCHLD, to be taken inside trace_next(): threads must be started after this. All
 * calls must come from the thread that calls this one.
 */
struct error *trace_create(const struct trace_options *options, struct trace **ret);
/** Detaches from what is left, restores the signal mask. NULL is allowed. */
void trace_destroy(struct trace *trace);

/**
 * Starts @argv (looked up in PATH) as a traced child. After STOP_STARTED, the entry of its
 * execve is what is seen first of it. An error says why there is nothing to run; if the
 * execve itself fails, the child says so on stderr and exits with 1. The command's tid
 * is *@tid_ret.
 */
struct error *trace_launch(struct trace *trace, char *const argv[], int *tid_ret);

/** Attaches to process @pid: with follow to all its living threads, else to @pid alone. */
struct error *trace_attach(struct trace *trace, int pid);

/** The next thing to do; see enum trace_result. */
enum trace_result trace_next(struct trace *trace, struct stop *ret);

/**
 * Lets the task of @stop go on: with its signal, into or out of its system call,
 * or staying in its group-stop. @skip_exit: this call's exit need not be seen
 * (only at STOP_SYSCALL_ENTRY; a hint).
 */
void trace_resume(struct trace *trace, const struct stop *stop, bool skip_exit);

/** What is done to a call at its entry, and to its result. */
struct call_change {
	/** Of the call that is made instead; UINT64_MAX: none. */
	uint64_t number;
	/** What it returns then, whatever happens: minus the errno if it @is_error. */
	int64_t result;
	bool is_error;
};

/**
 * The call at whose entry (STOP_SYSCALL_ENTRY, not in_flight) @tracee stands is changed. Its exit
 * is handed out with the new result, and is_changed.
 */
void trace_change_call(
	struct trace *trace, struct tracee *tracee, const struct call_change *change);
/** @signal comes to @tracee, which is at an entry (not of a filter) or exit, as it goes on. */
void trace_send(struct trace *trace, struct tracee *tracee, int signal);
/** trace_resume() lets @tracee go on only so much later. All others run meanwhile. */
void trace_delay(struct trace *trace, struct tracee *tracee, uint64_t nanoseconds);

/**
 * Whether a task with a filter is to stop at all wanted calls from now on, or only where the
 * filter says so. It must be stopped.
 */
void trace_watch(struct trace *trace, struct tracee *tracee, bool watch);
/**
 * The same for all tasks of process @tgid, those that run included: they stop at the first call
 * that they make after this, and what they are in goes on as if nothing had been: see
 * interrupt_restart.c.
 */
void trace_watch_process(struct trace *trace, int tgid, bool watch);

/**
 * Lets all tasks go as if nothing had been: signals in flight are delivered,
 * stopped processes stay stopped. Calls @gone (may be NULL) for each. Waits as long as
 * tasks keep stopping, but not for one that does not stop within a second or two, nor
 * after a further signal that asks us to end: such a task is let go when we exit.
 */
void trace_detach_all(
	struct trace *trace, void (*gone)(void *context, struct tracee *tracee), void *context);

/**
 * Asks the tasks that compute to stop (STOP_OTHER) and so to wait for us. One that is inside
 * a system call is left alone: its call would fail with EINTR.
 */
void trace_hold(struct trace *trace);

/**
 * Whether the command got its filter: then trace_detach_all() detaches from no task. They run
 * on under residual_serve() (trace/residual_tracer.h), which must be called while there are any.
 */
bool trace_filters(const struct trace *trace);
/** Stops at system calls so far, by the way of scheduling that was gone: SCHEDULE_WAYS numbers. */
const uint64_t *trace_stops(const struct trace *trace);

/**
 * After trace_detach_all(): what residual_serve() needs, the caller's from then on; NULL if the
 * command did not get a filter.
 */
struct residual_tracer *trace_take_residual(struct trace *trace);

/** Lets the task of @stop, which was handed out and not given back, go. Its tracee is freed. */
void trace_let_go(struct trace *trace, const struct stop *stop,
	void (*gone)(void *context, struct tracee *tracee), void *context);

/** The signal behind TRACE_INTERRUPTED. */
int trace_signal(const struct trace *trace);
/**
 * Sends @signal to the command that trace_launch() started, if it still lives, and SIGCONT
 * so that it acts on it even if it is stopped. To be called before trace_detach_all().
 */
void trace_pass_on(struct trace *trace, int signal);
/** Tasks traced now: from their first stop (attached and launched ones: at once) to their end. */
size_t trace_count(const struct trace *trace);

/**
 * General registers of a stopped task as PTRACE_GETREGSET(NT_PRSTATUS) gives them;
 * returns their size in bytes, which tells 64-bit from 32-bit, or 0.
 */
size_t trace_registers(struct trace *trace, struct tracee *tracee, void *buf, size_t size);

/** The instruction that a stopped task is at, or 0. */
uint64_t trace_place(const struct trace *trace, const struct tracee *tracee);

#endif
