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

#include "trace/stop.h"
#include "trace/tracee.h"

struct error;
struct syscall_set;
struct trace;

struct trace_options {
	/** -f: follow children and threads. */
	bool follow;
	/** Calls to stop at; NULL means all. Others still may stop. */
	const struct syscall_set *wanted;
};

enum trace_result {
	/** *ret holds a stop. */
	TRACE_STOP,
	/** Nothing is waiting: a moment to flush. The next call blocks. */
	TRACE_IDLE,
	/** A signal asks us to end (SIGINT, SIGTERM, SIGHUP …), see trace_signal(). */
	TRACE_INTERRUPTED,
	/** No task is left. */
	TRACE_DONE,
};

/** @options is copied. Blocks the signals that end us, to be taken inside trace_next(). */
struct error *trace_create(const struct trace_options *options, struct trace **ret);
/** Detaches from what is left, restores the signal mask. NULL is allowed. */
void trace_destroy(struct trace *trace);

/**
 * Starts @argv (looked up in PATH) as a traced child, which stops before its
 * execve. An error says why it cannot be run. The command's tid is *@tid_ret.
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

/**
 * Lets all tasks go as if nothing had been: signals in flight are delivered,
 * stopped processes stay stopped. Calls @gone for each. If @kill, a child that we
 * launched and that is still before its first exec is killed.
 */
void trace_detach_all(
	struct trace *trace, void (*gone)(void *context, struct tracee *tracee), void *context);

/** The signal behind TRACE_INTERRUPTED. */
int trace_signal(const struct trace *trace);
/** Tasks traced now. */
size_t trace_count(const struct trace *trace);

/**
 * General registers of a stopped task as PTRACE_GETREGSET(NT_PRSTATUS) gives them;
 * returns their size in bytes, which tells 64-bit from 32-bit, or 0.
 */
size_t trace_registers(struct trace *trace, struct tracee *tracee, void *buf, size_t size);

#endif
