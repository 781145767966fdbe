// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "abi/regs.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"
#include "trace/residual_tracer.h"
#include "trace/supervisor.h"
#include "trace/watchdog.h"

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};

static struct error *check_kernel(void)
{
	struct utsname name;
	unsigned major, minor;

	if (uname(&name) != 0 || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return NULL;
	if (major > 5 || (major == 5 && minor >= 3))
		return NULL;
	return error_create("Linux %s is too old: tracing needs 5.3 or later "
			    "(PTRACE_GET_SYSCALL_INFO)",
		name.release);
}

// What was ignored when we were started (nohup, a job in the background) does not end us.
static void block_signals(struct trace *trace)
{
	struct sigaction action;

	sigemptyset(&trace->signals);
	sigaddset(&trace->signals, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(ending_signals); i++) {
		if (sigaction(ending_signals[i], NULL, &action) == 0 &&
			action.sa_handler != SIG_IGN)
			sigaddset(&trace->signals, ending_signals[i]);
	}
	trace->ending = trace->signals;
	sigdelset(&trace->ending, SIGCHLD);
	if (trace->options.asking_signal)
		sigaddset(&trace->signals, trace->options.asking_signal);
	trace->blocked = trace->signals;
	if (trace->options.never_stops)
		sigaddset(&trace->blocked, SIGTSTP);
	if (trace->options.leave_signals) {
		sigemptyset(&trace->signals);
		sigaddset(&trace->signals, SIGCHLD);
		if (trace->options.asking_signal)
			sigaddset(&trace->signals, trace->options.asking_signal);
	}
	if (trace->options.supervisor_pid) {
		// Its end, a terminal that we write to from another process group, and limits: who
		// has our filter must not be left alone.
		sigaddset(&trace->signals, SIGURG);
		sigaddset(&trace->blocked, SIGURG);
		sigaddset(&trace->blocked, SIGTTOU);
	}
	supervisor_add_group_signals(&trace->blocked);
	sigprocmask(SIG_BLOCK, &trace->blocked, &trace->old_mask);
	// Ignored, it would not be sent for stops.
	action = (struct sigaction){.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &action, &trace->old_sigchld);
}

struct error *trace_create(const struct trace_options *options, struct trace **ret)
{
	struct error *error = check_kernel();
	struct trace *trace;

	if (error)
		return error;
	trace = xcalloc(1, sizeof(*trace));
	trace->options = *options;
	block_signals(trace);
	beat_start(trace);
	watchdog_start(trace);
	schedule_init(&trace->schedule, options->scheduling);
	*ret = trace;
	return NULL;
}

// What came too late must not end us now, on the way to our exit status.
static void drop_pending_signals(const sigset_t *set)
{
	const struct timespec at_once = {0};

	while (sigtimedwait(set, NULL, &at_once) > 0)
		;
}

void trace_destroy(struct trace *trace)
{
	if (!trace)
		return;
	if (!trace->released)
		trace_detach_all(trace, /* gone= */ NULL, /* context= */ NULL);
	beat_stop(trace);
	delay_deinit(trace);
	schedule_deinit(&trace->schedule);
	seccomp_program_deinit(&trace->program);
	// Tasks that are left must not lose us now: whoever serves them is asked to end.
	if (!trace->residual_taken) {
		interruptible_end();
		drop_pending_signals(&trace->blocked);
		sigaction(SIGCHLD, &trace->old_sigchld, NULL);
		sigprocmask(SIG_SETMASK, &trace->old_mask, NULL);
	}
	hash_deinit(&trace->tracees);
	residual_destroy(trace->residual);
	free(trace);
}

int trace_signal(const struct trace *trace)
{
	return trace->signal;
}

const uint64_t *trace_stops(const struct trace *trace)
{
	return trace->schedule.stops;
}

bool trace_filters(const struct trace *trace)
{
	return trace->filters;
}

// And with it the watchdog: who is left is to be served whatever keeps us.
static void hand_over_beat(struct trace *trace, struct trace *residual)
{
	residual->signal = trace->signal;
	if (!trace->has_timer)
		return;
	watchdog_stop(trace);
	residual->timer = trace->timer;
	residual->has_timer = true;
	residual->idle = trace->idle;
	residual->keeps_beating = trace->keeps_beating;
	trace->has_timer = false;
	watchdog_start(residual);
	beat_leave(residual);
}

struct residual_tracer *trace_take_residual(struct trace *trace)
{
	struct residual_tracer *residual = trace->residual;

	if (!residual)
		return NULL;
	hand_over_beat(trace, residual_trace(residual));
	trace->residual = NULL;
	trace->residual_taken = true;
	return residual;
}

size_t trace_count(const struct trace *trace)
{
	return trace->count;
}

size_t trace_registers(struct trace *trace, struct tracee *tracee, void *buf, size_t size)
{
	struct regs regs;

	(void)trace;
	if (!ptrace_regs(tracee->id.tid, &regs) || regs.size > size)
		return 0;
	memcpy(buf, regs.bytes, regs.size);
	return regs.size;
}

uint64_t trace_place(const struct trace *trace, const struct tracee *tracee)
{
	struct ptrace_place place;

	(void)trace;
	return ptrace_place(tracee->id.tid, &place) ? place.ip : 0;
}
