// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/call.h"

#include "base/time_units.h"
#include "decode/decoder.h"
#include "event/event.h"
#include "filter/query.h"
#include "session/kernel_stacks.h"
#include "session/state.h"

struct timespec session_call_duration(const struct session_task *task)
{
	struct timespec duration = source_monotonic(task->source);

	duration.tv_sec -= task->call.monotonic.tv_sec;
	duration.tv_nsec -= task->call.monotonic.tv_nsec;
	if (duration.tv_nsec < 0) {
		duration.tv_nsec += NS_PER_S;
		duration.tv_sec--;
	}
	return duration;
}

static uint64_t cpu_time(const struct session *session, const struct session_task *task)
{
	if (!outputs_need(&session->outputs, OUTPUT_NEEDS_CPU_TIME) || !task->source->ops->cpu_time)
		return 0;
	return task->source->ops->cpu_time(task->source, task);
}

void session_call_take_cpu(const struct session *session, struct session_task *task)
{
	task->call.cpu = cpu_time(session, task);
}

static uint64_t cpu_spent(const struct session *session, const struct session_task *task)
{
	uint64_t now = cpu_time(session, task);

	return now > task->call.cpu ? now - task->call.cpu : 0;
}

static struct event call_event(struct session_task *task)
{
	const struct session_call *call = &task->call;

	return (struct event){
		.kind = EVENT_CALL,
		.task = task->id,
		.pid = task->tgid,
		.comm = task->comm,
		.ip = call->ip,
		.call_number = task->call_number,
		.abi_now = task->abi,
		.wall = call->wall,
		.monotonic = call->monotonic,
		.in_flight = call->in_flight,
		.stack_shown = call->stack_shown,
		.call = &task->decoded,
		.stack = call->has_stack ? &call->stack : NULL,
		.kernel = call->has_kernel ? &call->kernel : NULL,
	};
}

static void begin(struct session *session, struct session_task *task)
{
	struct event event = call_event(task);

	outputs_call_begin(&session->outputs, &event);
	task->call.begun = true;
	task->shown = true;
}

void session_call_show_end(struct session *session, struct session_task *task)
{
	struct event event;

	if (!task->call.begun)
		begin(session, task);
	task->call.has_kernel = session_kernel_stack_take(
		session, task->id.tid, &task->decoded.arena, &task->call.kernel);
	event = call_event(task);
	event.duration = session_call_duration(task);
	event.cpu = cpu_spent(session, task);
	outputs_call_end(&session->outputs, &event);
	session_count_call(session);
}

void session_call_show_running(struct session *session, struct session_task *task)
{
	struct session_call *call = &task->call;
	struct event event;

	if (!call->has_stack && call->has_regs) {
		mem_forget(&task->live.mem);
		call->has_stack = task->source->ops->stack_from(
			task->source, task, &call->regs, &task->decoded.arena, &call->stack);
	}
	event = call_event(task);
	event.duration = session_call_duration(task);
	outputs_call_runs(&session->outputs, &event);
	call->stack_shown = call->has_stack;
}

void session_call_show_entry(struct session *session, struct session_task *task)
{
	begin(session, task);
	if (task->call.in_flight)
		session_call_show_running(session, task);
	session_long_calls_add(session, task);
}

void session_call_show_long(struct session *session, struct timespec now)
{
	struct session_task *task;

	while ((task = session_long_calls_next(session, now)))
		session_call_show_running(session, task);
}

void session_call_abandon(
	struct session *session, struct session_task *task, enum call_result result)
{
	struct session_call *call = &task->call;

	if (!call->under_way)
		return;
	call->under_way = false;
	session_long_calls_remove(session, task);
	if (call->ignored || call->verdict != MATCH_YES)
		return;
	if (result == CALL_NO_RESULT)
		decode_no_result(&task->decoded);
	if (!match_status(session->options->query, &task->decoded))
		return;
	if (!call->begun && session_decides_late(session))
		return;
	session_call_show_end(session, task);
}
