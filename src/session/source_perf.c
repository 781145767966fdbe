// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/source_perf.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/time_units.h"
#include "perf/record.h"
#include "session/memory.h"
#include "session/sampled_stack.h"
#include "session/stack_source.h"
#include "session/stacks.h"
#include "session/state.h"

static struct source_perf *of(const struct session_source *source)
{
	return (struct source_perf *)source;
}

static int64_t to_ns(struct timespec time)
{
	return time.tv_sec * (int64_t)NS_PER_S + time.tv_nsec;
}

static struct timespec from_ns(int64_t time)
{
	return (struct timespec){.tv_sec = time / NS_PER_S, .tv_nsec = time % NS_PER_S};
}

// Records have the time of CLOCK_MONOTONIC; the other clock is as far from it as it is now.
static void record_time(const struct session_source *source, struct timespec *wall_ret,
	struct timespec *monotonic_ret)
{
	const struct record *record = of(source)->record;
	struct timespec wall, now;

	if (record && !wall_ret) {
		*monotonic_ret = from_ns((int64_t)record->time);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &now);
	*monotonic_ret = record ? from_ns((int64_t)record->time) : now;
	if (wall_ret)
		*wall_ret = from_ns(to_ns(wall) - (to_ns(now) - to_ns(*monotonic_ret)));
}

static uint64_t cpu_time(const struct session_source *source, const struct session_task *task)
{
	const struct source_perf_task *origin = task->origin;
	const struct record *record = of(source)->record;

	if (!record)
		return 0;
	return origin->ran + (origin->runs_since && record->time > origin->runs_since
					     ? record->time - origin->runs_since
					     : 0);
}

// A call that it was in when we came: where it stands is all that is known.
static bool stack_at_attach(struct session *session, struct session_task *task,
	const struct stop_syscall *call, struct arena *arena, struct unwind_stack *ret)
{
	struct stack_source living = {
		.mem = &task->live.mem,
		.arena = arena,
		.maps_fd = &task->process->memory->maps_fd,
	};

	if (!call || !session->options->stacks.every || !session_stack_is_wanted(session, task))
		return false;
	session_stack_walk_call(session, task, &living, call, ret);
	return true;
}

static bool stack(const struct session_source *source, struct session_task *task,
	const struct stop_syscall *call, struct arena *arena, struct unwind_stack *ret)
{
	struct session *session = of(source)->session;
	const struct record *record = of(source)->record;

	if (!record)
		return stack_at_attach(session, task, call, arena, ret);
	if (record->kind != RECORD_FAULT &&
		(record->kind != RECORD_ENTER || !session_stack_is_wanted(session, task)))
		return false;
	session_sampled_stack(session, task, record, arena, ret);
	return true;
}

static void code(const struct session_source *source, struct session_task *task,
	struct arena *arena, struct unwind_frame *ret)
{
	session_sampled_code(of(source)->session, task, of(source)->record, arena, ret);
}

static void executed(struct session_source *source, struct session_task *task, int former_tid)
{
	perf_events_renamed(of(source)->session, task, former_tid);
	perf_events_executed(of(source)->session, task);
}

static void gone(struct session_source *source, struct session_task *task)
{
	perf_events_forget(of(source)->session, task);
	free(task->origin);
}

static const struct session_source_ops ops = {
	.time = record_time,
	.cpu_time = cpu_time,
	.stack = stack,
	.code = code,
	.executed = executed,
	.gone = gone,
};

void source_perf_init(struct source_perf *source, struct session *session)
{
	*source = (struct source_perf){
		.base = {.ops = &ops, .has_stack_at_entry_only = true},
		.session = session,
	};
}

struct session_task *source_perf_task(struct source_perf *source, struct task_id id, int tgid)
{
	struct session_task *task = session_task_create(source->session, &source->base, id, tgid);

	task->origin = xcalloc(1, sizeof(struct source_perf_task));
	perf_events_task(source->session, task);
	return task;
}

static void report(struct session_task *task, enum event_scheduled scheduled)
{
	session_report(of(task->source)->session, task,
		(struct event){.kind = EVENT_SCHEDULED, .scheduled = scheduled});
}

static void report_switch(struct session_task *task, const struct record *record)
{
	struct source_perf_task *origin = task->origin;
	bool was_seen = origin->schedule_seen;

	origin->schedule_seen = record->kind != RECORD_GONE;
	switch (record->kind) {
	case RECORD_RUNS:
		report(task, EVENT_SCHEDULED_IN);
		break;
	case RECORD_PREEMPTED:
		report(task, EVENT_SCHEDULED_PREEMPTED);
		break;
	case RECORD_SLEEPS:
		report(task, EVENT_SCHEDULED_OUT);
		break;
	case RECORD_BORN:
		report(task, EVENT_SCHEDULED_NEW);
		break;
	case RECORD_GONE:
		report(task, EVENT_SCHEDULED_GONE);
		break;
	case RECORD_ENTER:
	case RECORD_LEAVE:
	case RECORD_FAULT:
	case RECORD_EXEC:
	case RECORD_COMM:
	case RECORD_MAP:
		// It does something, so it runs.
		if (!was_seen)
			report(task, EVENT_SCHEDULED_IN);
		break;
	case RECORD_LOST:
	case RECORD_OTHER:
		origin->schedule_seen = was_seen;
		break;
	}
}

void source_perf_account(struct session_task *task, const struct record *record)
{
	struct source_perf_task *origin = task->origin;
	bool stops = record->kind == RECORD_PREEMPTED || record->kind == RECORD_SLEEPS ||
		     record->kind == RECORD_GONE;

	// Two processors' records of the same moment may come in either order.
	if (stops && origin->runs_since && record->time > origin->runs_since)
		origin->ran += record->time - origin->runs_since;
	if (stops || record->kind == RECORD_BORN)
		origin->runs_since = 0;
	else if (!origin->runs_since)
		origin->runs_since = record->time;
	if (outputs_need(&of(task->source)->session->outputs, OUTPUT_NEEDS_SCHEDULING))
		report_switch(task, record);
}
