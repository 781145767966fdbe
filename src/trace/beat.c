// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <signal.h>
#include <time.h>

#include "trace/internal.h"
#include "trace/interruptible_wait.h"

// How long nothing must happen before trace_next() says TRACE_IDLE (up to twice this), and how
// often we look again when nothing happens at all: the kernel drops a thread group leader that
// we trace without a word if a thread that we do not trace executes a program.
static const struct timespec active_period = {.tv_nsec = 10 * 1000 * 1000};
static const struct timespec idle_period = {.tv_sec = 1};

struct timespec beat_period(bool idle)
{
	return idle ? idle_period : active_period;
}

static void set_beat(struct trace *trace, struct timespec period)
{
	struct itimerspec spec = {.it_interval = period, .it_value = period};

	if (trace->has_timer)
		timer_settime(trace->timer, 0, &spec, NULL);
}

void beat_start(struct trace *trace)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCHLD};

	// A timer of its own costs nothing per stop. A timeout for every wait does: to arm it
	// costs a third of a stop on virtual machines.
	trace->has_timer = timer_create(CLOCK_MONOTONIC, &event, &trace->timer) == 0;
	set_beat(trace, active_period);
}

void beat_stop(struct trace *trace)
{
	if (!trace->has_timer)
		return;
	trace->away = false;
	interruptible_on_beat(NULL, NULL);
	timer_delete(trace->timer);
	trace->has_timer = false;
}

void beat_set_idle(struct trace *trace, bool idle)
{
	if (trace->idle == idle)
		return;
	trace->idle = idle;
	if (!trace->keeps_beating)
		set_beat(trace, idle ? idle_period : active_period);
}

static void keep_beating(struct trace *trace, bool keep)
{
	keep &= trace->idle;
	if (trace->keeps_beating == keep)
		return;
	trace->keeps_beating = keep;
	set_beat(trace, trace->idle && !keep ? idle_period : active_period);
}

void beat_forget_signals(const struct trace *trace)
{
	const struct timespec at_once = {0};

	while (sigtimedwait(&trace->ending, NULL, &at_once) > 0)
		;
}

void beat_leave(struct trace *trace)
{
	if (!trace->has_timer)
		return;
	trace->away_beats = 0;
	trace->away = true;
	interruptible_begin();
	keep_beating(trace, true);
}

bool beat_enter(struct trace *trace)
{
	bool was_away = trace->away;

	trace->away = false;
	keep_beating(trace, false);
	return was_away;
}

void beat_again(struct trace *trace, bool was_away)
{
	if (was_away)
		beat_leave(trace);
}
