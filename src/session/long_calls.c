// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/long_calls.h"

#include <signal.h>

#include "base/monotonic.h"
#include "base/time_units.h"
#include "session/state.h"
#include "session/task.h"

static uint64_t to_ns(struct timespec time)
{
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

static uint64_t due_time(const struct long_calls *calls, const struct session_task *task)
{
	uint64_t began = to_ns(task->call.monotonic);

	return calls->after > UINT64_MAX - began ? UINT64_MAX : began + calls->after;
}

void session_long_calls_start(struct session *session, uint64_t after)
{
	struct long_calls *calls = &session->long_calls;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCHLD};

	calls->after = after;
	if (after)
		calls->has_timer = timer_create(CLOCK_MONOTONIC, &event, &calls->timer) == 0;
}

void session_long_calls_stop(struct session *session)
{
	struct long_calls *calls = &session->long_calls;

	if (calls->has_timer)
		timer_delete(calls->timer);
	calls->has_timer = false;
	calls->after = 0;
}

// The timer is left alone when a call ends. So it is set at most once in the time that a call
// may take, however many there are.
static void wake_for_first(struct long_calls *calls, uint64_t time)
{
	struct itimerspec spec = {0};
	uint64_t due;

	if (!calls->has_timer || !calls->first || calls->wake_at > time)
		return;
	due = due_time(calls, calls->first);
	calls->wake_at = due > time ? due : time + 1;
	spec.it_value.tv_sec = (time_t)(calls->wake_at / NS_PER_S);
	spec.it_value.tv_nsec = (long)(calls->wake_at % NS_PER_S);
	timer_settime(calls->timer, TIMER_ABSTIME, &spec, NULL);
}

void session_long_calls_add(struct session *session, struct session_task *task)
{
	struct long_calls *calls = &session->long_calls;

	if (!calls->after)
		return;
	task->call.has_regs = !task->call.has_stack && task->source->ops->registers &&
			      task->source->ops->registers(task->source, task, &task->call.regs);
	task->call.is_waiting = true;
	task->call.next_waiting = NULL;
	task->call.previous_waiting = calls->last;
	if (calls->last)
		calls->last->call.next_waiting = task;
	else
		calls->first = task;
	calls->last = task;
	wake_for_first(calls, to_ns(task->call.monotonic));
}

void session_long_calls_remove(struct session *session, struct session_task *task)
{
	struct long_calls *calls = &session->long_calls;

	if (!task->call.is_waiting)
		return;
	task->call.is_waiting = false;
	if (task->call.previous_waiting)
		task->call.previous_waiting->call.next_waiting = task->call.next_waiting;
	else
		calls->first = task->call.next_waiting;
	if (task->call.next_waiting)
		task->call.next_waiting->call.previous_waiting = task->call.previous_waiting;
	else
		calls->last = task->call.previous_waiting;
}

static bool is_due(const struct long_calls *calls, uint64_t time)
{
	return calls->first && due_time(calls, calls->first) <= time;
}

bool session_long_calls_due(struct session *session)
{
	struct long_calls *calls = &session->long_calls;
	uint64_t time;

	if (!calls->after || !calls->first)
		return false;
	time = monotonic_ns();
	if (is_due(calls, time))
		return true;
	wake_for_first(calls, time);
	return false;
}

struct session_task *session_long_calls_next(struct session *session, struct timespec now)
{
	struct long_calls *calls = &session->long_calls;
	struct session_task *task = calls->first;
	uint64_t time = to_ns(now);

	if (!calls->after)
		return NULL;
	if (is_due(calls, time)) {
		session_long_calls_remove(session, task);
		return task;
	}
	wake_for_first(calls, time);
	return NULL;
}
