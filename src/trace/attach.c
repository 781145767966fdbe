// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/ptrace.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "proc/task.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

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
	if (!ptrace_seize(tid, attach_options(trace)))
		return errno;
	ptrace_interrupt(tid);
	state = tracee_create(trace, tid, task_tgid(tid));
	state->attached = true;
	trace->unmet++;
	tracee_count(trace, state);
	trace->drained = false;
	return 0;
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

struct error *trace_attach(struct trace *trace, int pid)
{
	struct error *error = refusal_before(pid);
	size_t added, total = 0;
	int code = 0;

	if (error)
		return error;
	if (tracee_by_tid(trace, pid))
		return NULL;
	if (!trace->options.follow) {
		code = attach_task(trace, pid);
		return code ? refusal_explain(pid, code) : NULL;
	}
	// Threads that are not yet ours may create more while we look. Those of our own
	// come to us by themselves, and fail here; so does a leader that has exited.
	do {
		added = attach_unknown(trace, pid, &code);
		total += added;
	} while (added);
	return total ? NULL : refusal_explain(pid, code);
}
