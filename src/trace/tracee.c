// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/tracee.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "trace/internal.h"

struct tracee_state *tracee_create(struct trace *trace, int tid, int tgid)
{
	struct tracee_state *state = xcalloc(1, sizeof(*state));

	state->tracee.id = (struct task_id){.tid = tid, .serial = trace->next_serial++};
	state->tracee.tgid = tgid;
	state->tracee.state = state;
	hash_set(&trace->tracees, (uint64_t)tid, state);
	return state;
}

void tracee_destroy(struct trace *trace, struct tracee_state *state)
{
	assert(state->phase != TRACEE_QUEUED);
	tracee_uncount(trace, state);
	trace->unmet -= state->attached;
	trace->ended_tgids[trace->ended_count++ % ENDED_KEPT] = state->tracee.tgid;
	free(state);
}

struct tracee_state *tracee_by_tid(const struct trace *trace, int tid)
{
	return hash_get(&trace->tracees, (uint64_t)tid);
}

void tracee_count(struct trace *trace, struct tracee_state *state)
{
	if (!state->counted)
		trace->count++;
	state->counted = true;
}

void tracee_uncount(struct trace *trace, struct tracee_state *state)
{
	if (state->counted)
		trace->count--;
	state->counted = false;
}

bool tracee_ended(const struct tracee_state *state)
{
	return state->phase != TRACEE_RUNS &&
	       (state->superseded_by || state->kind == WAIT_EXITED || state->kind == WAIT_KILLED);
}

void tracee_enqueue(struct trace *trace, struct tracee_state *state)
{
	if (state->phase == TRACEE_QUEUED)
		return;
	state->phase = TRACEE_QUEUED;
	state->next = NULL;
	if (trace->queue_last)
		trace->queue_last->next = state;
	else
		trace->queue_first = state;
	trace->queue_last = state;
	trace->queued++;
}

struct tracee_state *tracee_dequeue(struct trace *trace)
{
	struct tracee_state *state = trace->queue_first;

	if (!state)
		return NULL;
	trace->queue_first = state->next;
	if (!trace->queue_first)
		trace->queue_last = NULL;
	trace->queued--;
	state->phase = TRACEE_HANDED_OUT;
	return state;
}
