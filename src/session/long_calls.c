// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/long_calls.h"

#include <signal.h>

#include "base/monotonic.h"
#include "session/internal.h"
#include "session/task.h"

enum {
	NS_PER_S = 1000000000,
};

static uint64_t to_ns(struct timespec time)
{
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

static uint64_t due_time(const struct long_calls *calls, const struct session_task *task)
{
	uint64_t began = to_ns(task->monotonic);

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
	task->has_regs = !task->has_stack && session_stack_registers(session, task, &task->regs);
	task->is_waiting = true;
	task->next_waiting = NULL;
	task->previous_waiting = calls->last;
	if (calls->last)
		calls->last->next_waiting = task;
	else
		calls->first = task;
	calls->last = task;
	wake_for_first(calls, to_ns(task->monotonic));
}

void session_long_calls_remove(struct session *session, struct session_task *task)
{
	struct long_calls *calls = &session->long_calls;

	if (!task->is_waiting)
		return;
	task->is_waiting = false;
	if (task->previous_waiting)
		task->previous_waiting->next_waiting = task->next_waiting;
	else
		calls->first = task->next_waiting;
	if (task->next_waiting)
		task->next_waiting->previous_waiting = task->previous_waiting;
	else
		calls->last = task->previous_waiting;
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

void session_long_calls_show(struct session *session, struct timespec time)
{
	struct long_calls *calls = &session->long_calls;

	if (!calls->after)
		return;
	while (is_due(calls, to_ns(time))) {
		struct session_task *task = calls->first;

		session_long_calls_remove(session, task);
		session_show_running(session, task);
	}
	wake_for_first(calls, to_ns(time));
}
