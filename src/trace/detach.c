// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"
#include "trace/residual_tracer.h"

/** Told at the end: whoever is told may write, which may take as long as a reader likes. */
struct gone {
	struct tracee_state *first, **last;
};

// It is in neither table nor queue any more.
static void forget(struct tracee_state *state, struct gone *gone)
{
	state->phase = TRACEE_RUNS;
	state->next = NULL;
	*gone->last = state;
	gone->last = &state->next;
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
static void release(struct trace *trace, struct tracee_state *state, struct gone *gone)
{
	int tid = state->tracee.id.tid;

	change_undo(state);
	ptrace_detach(tid, signal_under_way(trace, state));
	hash_remove(&trace->tracees, (uint64_t)tid);
	forget(state, gone);
}

static void release_queued(struct trace *trace, struct gone *gone)
{
	struct tracee_state *state;

	while ((state = tracee_dequeue(trace))) {
		if (tracee_ended(state))
			forget(state, gone);
		else if (!state->let_go)
			release(trace, state, gone);
	}
}

// It runs on with us. What was done to its call is put right at its next stop.
static void leave_one(struct trace *trace, struct tracee_state *state, struct gone *gone)
{
	bool ended = tracee_ended(state);

	state->watched = state->entered = false;
	if (ended && !state->superseded_by)
		residual_note_end(
			residual_trace(trace->residual), state->tracee.id.tid, state->status);
	if (state->phase != TRACEE_RUNS && !ended) {
		change_undo(state);
		if (!restart_settle(trace, state))
			residual_resume(state->tracee.id.tid, state->status);
	}
	if (!ended && restart_is_pending(state))
		residual_add(trace->residual, state);
	forget(state, gone);
}

// Their filter needs a tracer: they run on with us, but nothing of theirs is looked at.
static void leave_all(struct trace *trace, struct gone *gone)
{
	size_t position = 0;
	struct hash_entry *entry;
	struct tracee_state *state;

	trace->residual = residual_create(trace);
	while ((entry = hash_next(&trace->tracees, &position))) {
		state = entry->value;
		if (state->phase != TRACEE_RUNS)
			tracee_enqueue(trace, state);
		else
			leave_one(trace, state, gone);
	}
	hash_deinit(&trace->tracees);
	while ((state = tracee_dequeue(trace))) {
		if (state->let_go)
			state->phase = TRACEE_RUNS;
		leave_one(trace, state, gone);
	}
}

static void interrupt_all(struct trace *trace, struct gone *gone)
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
static void forget_rest(struct trace *trace, struct gone *gone)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&trace->tracees, &position)))
		forget(entry->value, gone);
	hash_deinit(&trace->tracees);
}

// The watchdog did what is to be done.
static void forget_all(struct trace *trace, struct gone *gone)
{
	release_queued(trace, gone);
	forget_rest(trace, gone);
}

static void interrupt_and_release(struct trace *trace, struct gone *gone)
{
	int quiet_beats = 0;

	interrupt_all(trace, gone);
	beat_set_idle(trace, true);
	trace->drained = false;
	// A task in an uninterruptible sleep, or in vfork() while the child runs, would keep us
	// for as long as it likes. The first beat may be one that was on its way already.
	while (quiet_beats < 2) {
		enum collect_result result = collect_waiting(trace);
		bool beat = false;

		release_queued(trace, gone);
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
	forget_rest(trace, gone);
}

static void tell(struct trace *trace, struct gone *gone,
	void (*call)(void *context, struct tracee *tracee), void *context)
{
	struct tracee_state *state;

	while ((state = gone->first)) {
		gone->first = state->next;
		if (call && !state->hidden)
			call(context, &state->tracee);
		if (trace->residual &&
			residual_find(trace->residual, state->tracee.id.tid) == state)
			tracee_uncount(trace, state);
		else
			tracee_destroy(trace, state);
	}
}

void trace_let_go(struct trace *trace, const struct stop *stop,
	void (*call)(void *context, struct tracee *tracee), void *context)
{
	struct gone gone = {.last = &gone.first};
	bool was_away = beat_enter(trace);

	if (!trace->let_go)
		release(trace, stop->tracee->state, &gone);
	beat_again(trace, was_away);
	tell(trace, &gone, call, context);
}

void trace_detach_all(
	struct trace *trace, void (*call)(void *context, struct tracee *tracee), void *context)
{
	struct gone gone = {.last = &gone.first};

	beat_enter(trace);
	schedule_restore(&trace->schedule);
	interruptible_end();
	if (trace->filters)
		leave_all(trace, &gone);
	else if (trace->let_go)
		forget_all(trace, &gone);
	else
		interrupt_and_release(trace, &gone);
	trace->released = true;
	beat_forget_signals(trace);
	beat_leave(trace);
	tell(trace, &gone, call, context);
}
