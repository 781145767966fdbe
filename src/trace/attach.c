// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "proc/task_status.h"
#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"

enum {
	TRIES = 50,
	/** Where it may be that we are not allowed to. */
	FEW_TRIES = 5,
};
static const struct timespec between_tries = {.tv_nsec = 1000 * 1000};

// Before the command's execve that is not certain yet.
static bool is_filtered(const struct trace *trace)
{
	return trace->filters || trace->may_filter;
}

unsigned long attach_options(const struct trace *trace)
{
	unsigned long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC;

	// The filter is inherited: whoever has it must be traced.
	if (trace->options.follow || is_filtered(trace))
		options |= PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	if (is_filtered(trace))
		options |= PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
	if (trace->options.kill_on_exit)
		options |= PTRACE_O_EXITKILL;
	return options;
}

// 0 or an errno value.
static int attach_task(struct trace *trace, int tid)
{
	struct tracee_state *state;

	if (trace->options.attaching)
		trace->options.attaching(trace->options.context, tid);
	while (!interruptible_seize(tid, attach_options(trace))) {
		if (errno != EINTR)
			return errno;
		interruptible_take();
		collect_waiting(trace);
	}
	ptrace_interrupt(tid);
	state = tracee_create(trace, tid, task_tgid(tid));
	state->attached = true;
	trace->unmet++;
	tracee_count(trace, state);
	trace->drained = false;
	return 0;
}

static int attach_alone(struct trace *trace, int tid)
{
	int code;

	interruptible_begin();
	code = attach_task(trace, tid);
	interruptible_end();
	return code;
}

// A thread that we did not trace executed a program and took the leader's tid: the leader that
// we traced is gone without a word, and nobody traces the thread that is called so now.
static bool is_stale(int tid)
{
	struct task_status status;

	return task_status_read(tid, &status) && status.tracer != gettid();
}

static void forget(struct trace *trace, struct tracee_state *state)
{
	hash_remove(&trace->tracees, (uint64_t)state->tracee.id.tid);
	// What it was queued with is void.
	state->superseded_by = state->tracee.tgid;
	if (state->phase == TRACEE_RUNS && !state->started)
		tracee_destroy(trace, state);
	else
		tracee_enqueue(trace, state);
}

/** What one look at the list of threads came to. */
struct look {
	/** Threads that became ours. */
	size_t added;
	/** Some were gone before. */
	bool vanished;
	/** The last failure. */
	int code;
};

static struct look attach_unknown(struct trace *trace, int pid)
{
	char path[64];
	cleanup_closedir DIR *dir = NULL;
	struct dirent *entry;
	struct look look = {0};

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		look.code = ESRCH;
	while (dir && (entry = readdir(dir))) {
		struct tracee_state *state;
		int tid, code;

		if (!parse_int(entry->d_name, &tid))
			continue;
		state = tracee_by_tid(trace, tid);
		if (state && !is_stale(tid))
			continue;
		if (state)
			forget(trace, state);
		code = attach_task(trace, tid);
		look.added += code == 0;
		look.vanished |= code == ESRCH;
		if (code)
			look.code = code;
	}
	return look;
}

// Returns how many threads of the process are ours now.
static size_t attach_threads(struct trace *trace, int pid, int *code_ret)
{
	unsigned vain = 0;
	size_t total = 0;

	interruptible_begin();
	// Threads that are not yet ours may create more while we look, or execute a program, which
	// ends all others. Those of our own come to us by themselves, and fail here; so does a
	// leader that has exited.
	while (vain < TRIES) {
		struct look look = attach_unknown(trace, pid);

		total += look.added;
		if (look.code)
			*code_ret = look.code;
		if (!look.added && !look.vanished)
			break;
		vain = look.added ? 0 : vain + 1;
	}
	interruptible_end();
	return total;
}

struct error *trace_attach(struct trace *trace, int pid)
{
	struct error *error = refusal_before(pid);
	int code = 0;

	if (error)
		return error;
	if (tracee_by_tid(trace, pid))
		return NULL;
	if (!trace->options.follow) {
		code = attach_alone(trace, pid);
		return code ? refusal_explain(pid, code) : NULL;
	}
	// When a thread executes a program, there is nobody to attach to for a moment: the tids are
	// gone, or those of threads that have ended (EPERM).
	for (unsigned i = 0; i < TRIES; i++) {
		if (attach_threads(trace, pid, &code))
			return NULL;
		if (kill(pid, 0) != 0 || (code != ESRCH && (code != EPERM || i >= FEW_TRIES)))
			break;
		nanosleep(&between_tries, NULL);
	}
	return refusal_explain(pid, code);
}
