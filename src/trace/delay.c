// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <signal.h>
#include <time.h>

#include "base/monotonic.h"
#include "base/time_units.h"
#include "trace/internal.h"

static void create_timer(struct trace *trace)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCHLD};

	trace->has_delay_timer = timer_create(CLOCK_MONOTONIC, &event, &trace->delay_timer) == 0;
}

void delay_deinit(struct trace *trace)
{
	if (trace->has_delay_timer)
		timer_delete(trace->delay_timer);
	trace->has_delay_timer = false;
}

// Without a timer the beat wakes us.
static void wake_at(struct trace *trace, uint64_t time)
{
	struct itimerspec spec = {.it_value = {.tv_sec = (time_t)(time / NS_PER_S),
					  .tv_nsec = (long)(time % NS_PER_S)}};

	trace->delay_due = time;
	if (trace->has_delay_timer)
		timer_settime(trace->delay_timer, TIMER_ABSTIME, &spec, NULL);
}

void trace_delay(struct trace *trace, struct tracee *tracee, uint64_t nanoseconds)
{
	if (!trace->has_delay_timer)
		create_timer(trace);
	tracee->state->delay = nanoseconds;
}

bool delay_begin(struct trace *trace, struct tracee_state *state)
{
	const uint64_t longest = INT64_MAX;
	uint64_t now;

	if (!state->delay)
		return false;
	now = monotonic_ns();
	state->goes_on_at = state->delay < longest - now ? now + state->delay : longest;
	state->delay = 0;
	state->phase = TRACEE_DELAYED;
	if (!trace->delay_due || state->goes_on_at < trace->delay_due)
		wake_at(trace, state->goes_on_at);
	return true;
}

struct tracee_state *delay_take_due(struct trace *trace)
{
	uint64_t now, next = 0;
	size_t position = 0;
	struct hash_entry *entry;

	if (!trace->delay_due)
		return NULL;
	now = monotonic_ns();
	if (now < trace->delay_due)
		return NULL;
	while ((entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;

		if (state->phase != TRACEE_DELAYED)
			continue;
		if (state->goes_on_at <= now) {
			state->phase = TRACEE_HANDED_OUT;
			return state;
		}
		if (!next || state->goes_on_at < next)
			next = state->goes_on_at;
	}
	trace->delay_due = 0;
	if (next)
		wake_at(trace, next);
	return NULL;
}
