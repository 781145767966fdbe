// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/watchdog.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"
#include "trace/residual_tracer.h"
#include "trace/supervisor.h"

enum {
	/** Beats of 10 ms: nothing that we do as a rule takes so long. */
	PATIENCE_BEATS = 20,
	SERVE_NS = 8 * 1000 * 1000,
	LATELY_NS = 1000 * 1000 * 1000,
};

static int take_signal(struct trace *trace)
{
	const struct timespec at_once = {0};
	sigset_t set = trace->ending;
	siginfo_t info;
	int signal;

	if (trace->options.supervisor_pid)
		sigaddset(&set, SIGURG);
	signal = sigtimedwait(&set, &info, &at_once);
	if (signal <= 0)
		return 0;
	trace->sender = supervisor_sender(&info, trace->options.supervisor_pid);
	return signal;
}

// It stopped with @status, and nobody looks at it any more.
static void let_run(struct trace *trace, struct tracee_state *state, int tid, int status)
{
	if (state && WIFSTOPPED(status))
		change_undo(state);
	if (state && residual_settle(trace, state, status))
		return;
	if (!WIFSTOPPED(status))
		return;
	if (trace->filters)
		residual_resume(tid, status);
	else
		ptrace_detach(tid, wait_kind_of(status) == WAIT_SIGNAL ? WSTOPSIG(status) : 0);
}

static void let_go(struct trace *trace)
{
	size_t position = 0;
	struct hash_entry *entry;

	trace->let_go = true;
	while ((entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;
		bool runs = state->phase == TRACEE_RUNS || state->peeked;

		if (!runs)
			let_run(trace, state, state->tracee.id.tid, state->status);
		else if (!trace->filters)
			ptrace_interrupt(state->tracee.id.tid);
		// In the queue it stays, where trace_detach_all() finds it.
		if (state->phase != TRACEE_QUEUED)
			state->phase = TRACEE_RUNS;
		state->let_go = true;
	}
}

static struct tracee_state *find(const struct trace *trace, int tid)
{
	return trace->residual ? residual_find(trace->residual, tid) : tracee_by_tid(trace, tid);
}

static bool serve_one(struct trace *trace, int flags)
{
	int status;
	int tid;

	errno = 0;
	tid = wait4(-1, &status, __WCLONE | flags, NULL);
	if (tid <= 0)
		return false;
	residual_note_end(trace, tid, status);
	let_run(trace, find(trace, tid), tid, status);
	return true;
}

// With a filter they stop again and again. What keeps our caller goes on in what is left.
static void serve_most_of_beat(struct trace *trace)
{
	const struct timespec step = {.tv_nsec = 100 * 1000};
	uint64_t end = monotonic_ns() + SERVE_NS;

	while (monotonic_ns() < end) {
		if (serve_one(trace, WNOHANG))
			continue;
		if (errno == ECHILD || !trace->filters)
			return;
		nanosleep(&step, NULL);
	}
}

static void die_by(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static void end(struct trace *trace, int signal)
{
	const struct supervisor supervisor = {
		.pid = trace->options.supervisor_pid,
		.pipe = trace->options.supervisor_pipe,
	};
	const struct supervisor_end how = {.signal = signal};

	if (!trace->filters) {
		die_by(signal);
		return;
	}
	supervisor_dismiss(&supervisor, &how);
	supervisor_let_go_of_files();
	while (serve_one(trace, 0) || errno == EINTR)
		;
	_exit(0);
}

static bool command_has(const struct trace *trace, const struct tracee_state *state, int signal)
{
	bool is_coming = state->phase == TRACEE_QUEUED && state->kind == WAIT_SIGNAL &&
			 WSTOPSIG(state->status) == signal;
	bool had = trace->command_got.signal == signal &&
		   trace->command_got.sender == trace->sender &&
		   monotonic_ns() - trace->command_got.time < LATELY_NS;

	return is_coming || had;
}

void trace_pass_on(struct trace *trace, int signal)
{
	int tid = trace->launched_tid;

	// Then it was done.
	if (trace->let_go || !tid || !tracee_by_tid(trace, tid))
		return;
	// As with all of its process group, if the signal was sent to that.
	if (command_has(trace, tracee_by_tid(trace, tid), signal))
		return;
	kill(tid, SIGCONT);
	kill(tid, signal);
}

static void asked_to_end(struct trace *trace, int signal)
{
	// The supervisor is gone: nobody asks for anything.
	bool is_asked = signal != SIGURG;

	if (is_asked && trace->signal) {
		end(trace, signal);
		return;
	}
	if (is_asked)
		trace->signal = signal;
	if (trace->let_go || trace->released)
		return;
	// That nobody reads what we write is no reason to end for the command.
	if (is_asked && signal != SIGPIPE && !trace->options.leave_signals)
		trace_pass_on(trace, signal);
	let_go(trace);
}

static void on_beat(void *context)
{
	struct trace *trace = context;
	int signal;

	if (!trace->away) {
		if (trace->options.leave_signals)
			beat_forget_signals(trace);
		return;
	}
	if (trace->let_go || trace->residual)
		serve_most_of_beat(trace);
	if (++trace->away_beats < PATIENCE_BEATS)
		return;
	signal = take_signal(trace);
	if (signal)
		asked_to_end(trace, signal);
}

void watchdog_start(struct trace *trace)
{
	interruptible_on_beat(on_beat, trace);
}

void watchdog_stop(struct trace *trace)
{
	trace->away = false;
	interruptible_on_beat(NULL, NULL);
}
