// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "proc/task.h"
#include "trace/bell.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

enum {
	TRIES = 50,
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
	return options;
}

// 0 or an errno value.
static int attach_task(struct trace *trace, int tid)
{
	struct tracee_state *state;

	if (trace->options.attaching)
		trace->options.attaching(trace->options.context, tid);
	while (!bell_seize(tid, attach_options(trace))) {
		if (errno != EINTR)
			return errno;
		bell_take();
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

	bell_hang_up();
	code = attach_task(trace, tid);
	bell_take_down();
	return code;
}

// One look at the list of threads; *@code_ret is the last failure.
static size_t attach_unknown(struct trace *trace, int pid, int *code_ret)
{
	char path[64];
	cleanup_closedir DIR *dir = NULL;
	struct dirent *entry;
	size_t added = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		*code_ret = ESRCH;
	while (dir && (entry = readdir(dir))) {
		int tid, code;

		if (!parse_int(entry->d_name, &tid) || tracee_by_tid(trace, tid))
			continue;
		code = attach_task(trace, tid);
		if (code)
			*code_ret = code;
		else
			added++;
	}
	return added;
}

// Returns how many threads of the process are ours now.
static size_t attach_threads(struct trace *trace, int pid, int *code_ret)
{
	size_t added, total = 0;

	bell_hang_up();
	// Threads that are not yet ours may create more while we look. Those of our own
	// come to us by themselves, and fail here; so does a leader that has exited.
	do {
		added = attach_unknown(trace, pid, code_ret);
		total += added;
	} while (added);
	bell_take_down();
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
	// When a thread executes a program, there is nobody to attach to for a moment.
	for (unsigned i = 0; i < TRIES; i++) {
		if (attach_threads(trace, pid, &code))
			return NULL;
		if (code != ESRCH || kill(pid, 0) != 0)
			break;
		nanosleep(&between_tries, NULL);
	}
	return refusal_explain(pid, code);
}
