// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/internal.h"
#include "trace/ptrace.h"

void resume_stopped(struct tracee_state *state, int signal)
{
	int tid = state->tracee.id.tid;

	// Either fails if the task was killed meanwhile. Its end will be reported.
	state->phase = TRACEE_RUNS;
	if (state->kind == WAIT_GROUP)
		ptrace_listen(tid);
	else
		ptrace_syscall(tid, signal);
}

bool resume_swallows(const struct trace_options *options, const siginfo_t *info)
{
	return options->swallow && options->swallow(options->context, info);
}

void trace_resume(struct trace *trace, const struct stop *stop, bool skip_exit)
{
	struct tracee_state *state = stop->tracee->state;

	if (state->phase != TRACEE_HANDED_OUT)
		return;
	if (tracee_ended(state)) {
		tracee_destroy(trace, state);
		return;
	}
	if (state->again) {
		state->again = false;
		tracee_enqueue(trace, state);
		return;
	}
	if (stop->kind == STOP_SYSCALL_ENTRY)
		state->skip_exit = skip_exit;
	if (stop->kind == STOP_SYSCALL_EXIT)
		state->tracee.in_syscall = false;
	resume_stopped(state, stop->kind == STOP_SIGNAL ? stop->signal : 0);
}
