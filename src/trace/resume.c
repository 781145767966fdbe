// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/internal.h"
#include "trace/ptrace.h"

// Whether it is to stop at the next entry or exit, and not only where a filter says so.
static bool stops_at_calls(const struct trace *trace, const struct tracee_state *state)
{
	return !trace->filters || state->watched || state->rest.done ||
	       state->launch != LAUNCH_NONE || (state->entered && !state->skip_exit);
}

void resume_stopped(const struct trace *trace, struct tracee_state *state, int signal)
{
	int tid = state->tracee.id.tid;

	if (state->injected_signal)
		signal = state->injected_signal;
	state->injected_signal = 0;
	// Either fails if the task was killed meanwhile. Its end will be reported.
	state->phase = TRACEE_RUNS;
	state->free = false;
	if (state->emulated && !state->skip_exit) {
		ptrace_interrupt(tid);
		ptrace_continue(tid, signal);
		return;
	}
	state->emulated = false;
	if (state->kind == WAIT_GROUP) {
		ptrace_listen(tid);
	} else if (stops_at_calls(trace, state)) {
		ptrace_syscall(tid, signal);
	} else {
		state->entered = false;
		state->free = true;
		ptrace_continue(tid, signal);
	}
}

void trace_watch(struct trace *trace, struct tracee *tracee, bool watch)
{
	(void)trace;
	tracee->state->watched = watch;
}

bool resume_swallows(const struct trace_options *options, const siginfo_t *info)
{
	return options->swallow && options->swallow(options->context, info);
}

void trace_resume(struct trace *trace, const struct stop *stop, bool skip_exit)
{
	struct tracee_state *state = stop->tracee->state;

	beat_enter(trace);

	if (state->phase != TRACEE_HANDED_OUT)
		return;
	if (tracee_ended(state)) {
		tracee_destroy(trace, state);
		return;
	}
	if (stop->kind == STOP_SYSCALL_ENTRY)
		state->skip_exit = skip_exit;
	if (stop->kind == STOP_SYSCALL_EXIT)
		state->tracee.in_syscall = false;
	if (state->again) {
		state->again = false;
		tracee_enqueue(trace, state);
		return;
	}
	if (state->peeked) {
		state->phase = TRACEE_RUNS;
		state->peeked = false;
		return;
	}
	if (!delay_begin(trace, state))
		resume_stopped(trace, state, stop->kind == STOP_SIGNAL ? stop->signal : 0);
}
