// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/residual_tracer.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"
#include "trace/seccomp.h"
#include "trace/stop.h"

struct residual_tracer {
	/** tid to struct tracee_state. */
	struct hash tracees;
	/** What interrupt_restart.c reads. */
	struct trace trace;
};

struct residual_tracer *residual_create(const struct trace *trace)
{
	struct residual_tracer *residual = xcalloc(1, sizeof(*residual));

	residual->trace.filters = true;
	residual->trace.released = true;
	residual->trace.options = trace->options;
	residual->trace.launched_tid = trace->launched_tid;
	residual->trace.ending = trace->ending;
	residual->trace.residual = residual;
	return residual;
}

void residual_destroy(struct residual_tracer *residual)
{
	size_t position = 0;
	struct hash_entry *entry;

	if (!residual)
		return;
	beat_stop(&residual->trace);
	while ((entry = hash_next(&residual->tracees, &position)))
		free(entry->value);
	hash_deinit(&residual->tracees);
	free(residual);
}

void residual_add(struct residual_tracer *residual, struct tracee_state *state)
{
	state->watched = state->entered = false;
	state->launch = LAUNCH_NONE;
	hash_set(&residual->tracees, (uint64_t)state->tracee.id.tid, state);
}

struct tracee_state *residual_find(const struct residual_tracer *residual, int tid)
{
	return hash_get(&residual->tracees, (uint64_t)tid);
}

void residual_note_end(struct trace *trace, int tid, int status)
{
	if (tid != trace->launched_tid || WIFSTOPPED(status))
		return;
	trace->launched_status = status;
	trace->launched_ended = true;
}

struct trace *residual_trace(struct residual_tracer *residual)
{
	return &residual->trace;
}

void residual_resume(int tid, int status)
{
	enum wait_kind kind = wait_kind_of(status);
	struct ptrace_place place;

	if (kind == WAIT_GROUP) {
		ptrace_listen(tid);
		return;
	}
	if (kind == WAIT_SECCOMP && ptrace_place(tid, &place))
		seccomp_settle(tid, &place);
	ptrace_continue(tid, kind == WAIT_SIGNAL ? WSTOPSIG(status) : 0);
}

// Traced tasks match __WCLONE too, other children do not (see collect.c).
bool residual_any(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WCLONE) == 0;
}

bool residual_settle(struct trace *trace, struct tracee_state *state, int status)
{
	enum wait_kind kind = wait_kind_of(status);
	bool settled;

	if (!restart_is_pending(state))
		return false;
	// After an exec its tid may be another thread's.
	if (!WIFSTOPPED(status) || kind == WAIT_EXEC) {
		state->restart = RESTART_NONE;
		state->rest = (struct restart_rest){0};
		return false;
	}
	state->status = status;
	state->kind = kind;
	state->phase = TRACEE_HANDED_OUT;
	settled = restart_settle(trace, state);
	state->phase = TRACEE_RUNS;
	return settled;
}

static void serve(struct residual_tracer *residual, int tid, int status)
{
	struct tracee_state *state = residual_find(residual, tid);

	residual_note_end(&residual->trace, tid, status);
	if (state && residual_settle(&residual->trace, state, status))
		return;
	if (WIFSTOPPED(status))
		residual_resume(tid, status);
}

static bool serve_one(struct residual_tracer *residual, int flags)
{
	int status;
	int tid = wait4(-1, &status, __WCLONE | flags, NULL);

	if (tid > 0)
		serve(residual, tid, status);
	return tid > 0;
}

static void serve_for(struct residual_tracer *residual, int milliseconds)
{
	const struct timespec step = {.tv_nsec = 5 * 1000 * 1000};
	uint64_t end = monotonic_ns() + (uint64_t)milliseconds * 1000000;

	// Some have something to tell all the time.
	while (monotonic_ns() < end && residual_any())
		if (!serve_one(residual, WNOHANG))
			nanosleep(&step, NULL);
}

void residual_serve(struct residual_tracer *residual, int milliseconds)
{
	beat_enter(&residual->trace);
	if (milliseconds >= 0) {
		serve_for(residual, milliseconds);
		return;
	}
	while (serve_one(residual, 0) || errno == EINTR)
		;
}

bool residual_serve_command(struct residual_tracer *residual, int *status_ret)
{
	struct trace *trace = &residual->trace;

	if (!trace->launched_tid)
		return false;
	// Beats may serve too, and see its end.
	while (!trace->launched_ended) {
		int status;
		int tid = interruptible_wait(&status);

		if (tid > 0)
			serve(residual, tid, status);
		else if (errno != EINTR)
			break;
		interruptible_take();
	}
	*status_ret = trace->launched_status;
	return trace->launched_ended;
}
