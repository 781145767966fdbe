// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"
#include "trace/residual_tracer.h"

struct gone {
	void (*call)(void *context, struct tracee *tracee);
	void *context;
};

// It is in neither table nor queue any more.
static void forget(struct trace *trace, struct tracee_state *state, const struct gone *gone)
{
	state->phase = TRACEE_RUNS;
	if (gone->call && !state->hidden)
		gone->call(gone->context, &state->tracee);
	tracee_destroy(trace, state);
}

static int signal_under_way(struct trace *trace, const struct tracee_state *state)
{
	siginfo_t info;

	if (state->kind != WAIT_SIGNAL)
		return state->injected_signal;
	if (ptrace_siginfo(state->tracee.id.tid, &info) && resume_swallows(&trace->options, &info))
		return 0;
	return WSTOPSIG(state->status);
}

// At a stop of any kind. A signal on its way is delivered, a stopped process stays stopped.
static void release(struct trace *trace, struct tracee_state *state, const struct gone *gone)
{
	int tid = state->tracee.id.tid;

	change_undo(state);
	ptrace_detach(tid, signal_under_way(trace, state));
	hash_remove(&trace->tracees, (uint64_t)tid);
	forget(trace, state, gone);
}

static void release_queued(struct trace *trace, const struct gone *gone)
{
	struct tracee_state *state;

	while ((state = tracee_dequeue(trace))) {
		if (tracee_ended(state))
			forget(trace, state, gone);
		else
			release(trace, state, gone);
	}
}

// It runs on with us. What was done to its call is put right at its next stop.
static void leave_one(struct trace *trace, struct tracee_state *state, const struct gone *gone)
{
	bool ended = tracee_ended(state);

	state->watched = state->entered = false;
	if (state->phase != TRACEE_RUNS && !ended) {
		change_undo(state);
		if (!restart_settle(trace, state))
			residual_resume(state->tracee.id.tid, state->status);
	}
	if (ended || !restart_is_pending(state)) {
		forget(trace, state, gone);
		return;
	}
	if (gone->call && !state->hidden)
		gone->call(gone->context, &state->tracee);
	tracee_uncount(trace, state);
	residual_add(trace->residual, state);
}

// Their filter needs a tracer: they run on with us, but nothing of theirs is looked at.
static void leave_all(struct trace *trace, const struct gone *gone)
{
	size_t position = 0;
	struct hash_entry *entry;
	struct tracee_state *state;

	trace->residual = residual_create();
	while ((entry = hash_next(&trace->tracees, &position))) {
		state = entry->value;
		if (state->phase != TRACEE_RUNS)
			tracee_enqueue(trace, state);
		else
			leave_one(trace, state, gone);
	}
	hash_deinit(&trace->tracees);
	while ((state = tracee_dequeue(trace)))
		leave_one(trace, state, gone);
}

void trace_let_go(struct trace *trace, const struct stop *stop,
	void (*gone_call)(void *context, struct tracee *tracee), void *context)
{
	const struct gone gone = {.call = gone_call, .context = context};

	release(trace, (struct tracee_state *)stop->tracee, &gone);
}

static void interrupt_all(struct trace *trace, const struct gone *gone)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;

		if (state->phase == TRACEE_RUNS)
			ptrace_interrupt(state->tracee.id.tid);
		else
			tracee_enqueue(trace, state);
	}
	release_queued(trace, gone);
}

// Those that did not stop: the kernel lets them go when we exit.
static void forget_rest(struct trace *trace, const struct gone *gone)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&trace->tracees, &position)))
		forget(trace, entry->value, gone);
	hash_deinit(&trace->tracees);
}

void trace_detach_all(
	struct trace *trace, void (*gone_call)(void *context, struct tracee *tracee), void *context)
{
	const struct gone gone = {.call = gone_call, .context = context};
	int quiet_beats = 0;

	schedule_restore(&trace->schedule);
	interruptible_end();
	if (trace->filters) {
		leave_all(trace, &gone);
		trace->released = true;
		return;
	}
	interrupt_all(trace, &gone);
	collect_set_idle(trace, true);
	trace->drained = false;
	// A task in an uninterruptible sleep, or in vfork() while the child runs, would keep us
	// for as long as it likes. The first beat may be one that was on its way already.
	while (quiet_beats < 2) {
		enum collect_result result = collect_waiting(trace);
		bool beat = false;

		release_queued(trace, &gone);
		if (result == COLLECT_NO_TASK)
			break;
		if (result == COLLECT_SOME) {
			quiet_beats = 0;
			continue;
		}
		if (collect_wait(trace, &beat) != SIGCHLD)
			break;
		quiet_beats += beat;
	}
	forget_rest(trace, &gone);
	trace->released = true;
}
