// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "proc/task_syscall.h"
#include "trace/internal.h"
#include "trace/ptrace.h"
#include "trace/residual_tracer.h"
#include "trace/supervisor.h"

// The task was killed after it stopped: its end is still to come.
static bool killed(struct tracee_state *state)
{
	state->phase = TRACEE_RUNS;
	return false;
}

static bool fill_child(struct tracee_state *state, struct stop *ret)
{
	unsigned long child;

	if (!ptrace_event_message(state->tracee.id.tid, &child))
		return killed(state);
	ret->kind = STOP_CHILD;
	ret->child = (int)child;
	ret->clone_flags = syscall_stop_clone_flags(state);
	return true;
}

static bool fill_signal(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	ret->kind = STOP_SIGNAL;
	ret->signal = WSTOPSIG(state->status);
	ret->has_siginfo = ptrace_siginfo(state->tracee.id.tid, &ret->siginfo);
	if (ret->has_siginfo && resume_swallows(&trace->options, &ret->siginfo)) {
		resume_stopped(trace, state, 0);
		return false;
	}
	if (ret->has_siginfo && state->tracee.tgid == trace->launched_tid) {
		trace->command_got.signal = ret->signal;
		trace->command_got.sender =
			supervisor_sender(&ret->siginfo, /* supervisor_pid= */ 0);
		trace->command_got.time = monotonic_ns();
	}
	if (ret->has_siginfo && in_flight_abandon(trace, state, ret))
		return true;
	return ret->has_siginfo || errno != ESRCH || killed(state);
}

// Its end is handed out: nobody waits for that any more.
static void forget_command(struct trace *trace, const struct tracee_state *state)
{
	if (state->tracee.id.tid == trace->launched_tid)
		trace->launched_tid = 0;
}

static bool fill(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	switch (state->kind) {
	case WAIT_EXITED:
		forget_command(trace, state);
		ret->kind = STOP_EXITED;
		ret->status = WEXITSTATUS(state->status);
		return true;
	case WAIT_KILLED:
		forget_command(trace, state);
		ret->kind = STOP_KILLED;
		ret->signal = WTERMSIG(state->status);
		ret->core_dumped = WCOREDUMP(state->status);
		return true;
	case WAIT_SYSCALL:
	case WAIT_SECCOMP:
		return syscall_stop_fill(trace, state, ret);
	case WAIT_CLONE:
	case WAIT_FORK:
	case WAIT_VFORK:
		return fill_child(state, ret);
	case WAIT_EXEC:
		ret->kind = STOP_EXEC;
		ret->former_tid = state->former_tid;
		return true;
	case WAIT_GROUP:
		ret->kind = STOP_GROUP;
		ret->signal = WSTOPSIG(state->status);
		return true;
	case WAIT_SIGNAL:
		return fill_signal(trace, state, ret);
	case WAIT_TRAP:
		if (state->emulated)
			return syscall_stop_emulated(trace, state, ret);
		break;
	case WAIT_VFORK_DONE:
	case WAIT_EXIT_EVENT:
	case WAIT_UNKNOWN:
		break;
	}
	ret->kind = STOP_OTHER;
	return true;
}

// It runs on at once, or is forgotten.
static bool pass_over(struct trace *trace, struct tracee_state *state)
{
	if (tracee_ended(state)) {
		state->phase = TRACEE_HANDED_OUT;
		tracee_destroy(trace, state);
		return false;
	}
	state->phase = TRACEE_RUNS;
	residual_resume(state->tracee.id.tid, state->status);
	return false;
}

// It was only looked at.
static bool runs_on(struct tracee_state *state)
{
	state->phase = TRACEE_RUNS;
	state->peeked = false;
	return false;
}

static bool present(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	bool first = !state->started;

	if (state->hidden)
		return pass_over(trace, state);
	*ret = (struct stop){.tracee = &state->tracee, .wait_status = state->status};
	state->started = true;
	if (state->superseded_by) {
		// Another tracee goes on under its tid, so it does not count as one any more.
		tracee_uncount(trace, state);
		ret->kind = STOP_SUPERSEDED;
		ret->superseded_by = state->superseded_by;
		return true;
	}
	tracee_count(trace, state);
	if (first && !tracee_ended(state)) {
		ret->kind = STOP_STARTED;
		ret->computes = state->attached && !state->peeked && in_flight_look(state);
		trace->unmet -= state->attached;
		state->attached = false;
		state->again = state->kind != WAIT_TRAP || state->in_flight != IN_FLIGHT_NONE;
		return true;
	}
	if (restart_settle(trace, state))
		return false;
	if (!state->peeked)
		in_flight_settle(state);
	if (in_flight_fill(trace, state, ret))
		return true;
	return state->peeked ? runs_on(state) : fill(trace, state, ret);
}

// The kernel says that we trace nobody. Whom we still know was a thread group leader whose
// process executed a program in a thread that we did not trace.
static bool queue_vanished(struct trace *trace)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;

		state->superseded_by = state->tracee.tgid;
		tracee_enqueue(trace, state);
	}
	hash_deinit(&trace->tracees);
	return trace->queued != 0;
}

// Whether this beat says something new: nothing came since the last one.
static bool falls_idle(struct trace *trace)
{
	bool active = trace->active, idle = trace->idle;

	trace->active = false;
	if (active || idle)
		return false;
	beat_set_idle(trace, true);
	return true;
}

static void resume_due(struct trace *trace)
{
	struct tracee_state *state;

	while ((state = delay_take_due(trace)))
		resume_stopped(trace, state, 0);
}

static bool sent_by_tracee(const struct trace *trace)
{
	size_t position = 0;
	struct hash_entry *entry;

	if (!trace->sender)
		return false;
	for (unsigned i = 0; i < ENDED_KEPT; i++) {
		if (trace->ended_tgids[i] == trace->sender)
			return true;
	}
	while ((entry = hash_next(&trace->tracees, &position))) {
		const struct tracee_state *state = entry->value;

		if (state->tracee.tgid == trace->sender)
			return true;
	}
	return false;
}

static enum trace_result next(struct trace *trace, struct stop *ret)
{
	bool beat = false;

	for (;;) {
		struct tracee_state *state;
		int signal;

		// What is hidden keeps nobody waiting.
		if (trace->filters && !trace->options.follow && !trace->count)
			return TRACE_DONE;
		resume_due(trace);
		while ((state = tracee_dequeue(trace))) {
			if (!present(trace, state, ret))
				continue;
			trace->active = true;
			beat_set_idle(trace, false);
			return TRACE_STOP;
		}
		if (!trace->drained || !trace->tracees.count) {
			enum collect_result result = collect_waiting(trace);

			if (result == COLLECT_NO_TASK && !queue_vanished(trace))
				return TRACE_DONE;
			if (result != COLLECT_NONE)
				continue;
			if (beat && falls_idle(trace))
				return TRACE_IDLE;
		}
		signal = collect_wait(trace, &beat);
		if (signal == trace->options.asking_signal)
			return TRACE_ASKED;
		// Sent to its whole process group, where we are too.
		if (signal != SIGCHLD && sent_by_tracee(trace))
			continue;
		if (signal != SIGCHLD) {
			trace->signal = signal == SIGURG ? 0 : signal;
			return TRACE_INTERRUPTED;
		}
		if (beat && trace->unmet)
			in_flight_peek(trace);
		if (trace->options.woken && trace->options.woken(trace->options.context))
			return TRACE_WOKEN;
	}
}

enum trace_result trace_next(struct trace *trace, struct stop *ret)
{
	enum trace_result result = TRACE_INTERRUPTED;

	beat_enter(trace);
	if (!trace->let_go)
		result = next(trace, ret);
	beat_leave(trace);
	return result;
}

static bool computes(int tid)
{
	return task_syscall_read(tid).kind == TASK_SYSCALL_RUNNING;
}

void trace_hold(struct trace *trace)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;
		int tid = state->tracee.id.tid;

		if (state->phase == TRACEE_RUNS && !state->tracee.in_syscall && computes(tid))
			ptrace_interrupt(tid);
	}
}
