// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/source_ptrace.h"

#include "proc/schedstat.h"
#include "session/memory.h"
#include "session/stack_source.h"
#include "session/stacks.h"
#include "session/state.h"
#include "trace/trace.h"
#include "trace/tracee.h"

static struct source_ptrace *of(const struct session_source *source)
{
	return (struct source_ptrace *)source;
}

static void now(const struct session_source *source, struct timespec *wall_ret,
	struct timespec *monotonic_ret)
{
	(void)source;
	if (wall_ret)
		clock_gettime(CLOCK_REALTIME, wall_ret);
	clock_gettime(CLOCK_MONOTONIC, monotonic_ret);
}

static uint64_t cpu_time(const struct session_source *source, const struct session_task *task)
{
	struct schedstat account;

	return schedstat_read(&of(source)->session->schedstat, task->id.tid, &account) ? account.ran
										       : 0;
}

static void read_comm(const struct session_source *source, struct session_task *task)
{
	(void)source;
	task_comm(task->id.tid, task->comm);
}

static struct stack_source living(
	const struct session_source *source, struct session_task *task, struct arena *arena)
{
	return (struct stack_source){
		.mem = &task->live.mem,
		.arena = arena,
		.maps_fd = &task->process->memory->maps_fd,
		.trace = of(source)->trace,
		.tracee = task->origin,
	};
}

static bool stack(const struct session_source *source, struct session_task *task,
	const struct stop_syscall *call, struct arena *arena, struct unwind_stack *ret)
{
	struct session *session = of(source)->session;
	struct stack_source context = living(source, task, arena);

	if (!session_stack_is_wanted(session, task))
		return false;
	if (call)
		session_stack_walk_call(session, task, &context, call, ret);
	else
		session_stack_walk(session, task, &context, NULL, FRAME_ADDRESS_EXACT, ret);
	return true;
}

static void expect_stack(const struct session_source *source, struct session_task *task,
	const struct stop_syscall *call)
{
	const struct session *session = of(source)->session;

	if (session_stack_is_wanted(session, task))
		mem_expect(&task->live.mem, call->sp,
			unwind_predicted_size(session->unwind, call->ip));
}

static uint64_t place(const struct session_source *source, const struct session_task *task)
{
	return trace_place(of(source)->trace, task->origin);
}

static bool registers(const struct session_source *source, const struct session_task *task,
	struct frame_regs *ret)
{
	struct stack_source context = {.trace = of(source)->trace, .tracee = task->origin};

	return session_stack_is_wanted(of(source)->session, task) &&
	       stack_source_registers(&context, ret);
}

static bool stack_from(const struct session_source *source, struct session_task *task,
	const struct frame_regs *regs, struct arena *arena, struct unwind_stack *ret)
{
	struct session *session = of(source)->session;
	struct stack_source context = living(source, task, arena);

	if (!session_stack_is_wanted(session, task))
		return false;
	session_stack_walk(session, task, &context, regs, FRAME_ADDRESS_SYSCALL, ret);
	return true;
}

static void executed(struct session_source *source, struct session_task *task, int former_tid)
{
	perf_events_renamed(of(source)->session, task, former_tid);
	perf_events_executed(of(source)->session, task);
}

static void gone(struct session_source *source, struct session_task *task)
{
	struct tracee *tracee = task->origin;

	perf_events_forget(of(source)->session, task);
	tracee->user = NULL;
}

static bool is_filtered(const struct session_source *source)
{
	return of(source)->trace && trace_filters(of(source)->trace);
}

static void watch(struct session_source *source, struct session_task *task, bool watch)
{
	trace_watch(of(source)->trace, task->origin, watch);
}

static void watch_process(struct session_source *source, int tgid, bool watch)
{
	trace_watch_process(of(source)->trace, tgid, watch);
}

static void change_call(
	struct session_source *source, struct session_task *task, const struct call_change *change)
{
	trace_change_call(of(source)->trace, task->origin, change);
}

static void send_signal(struct session_source *source, struct session_task *task, int signal)
{
	trace_send(of(source)->trace, task->origin, signal);
}

static void delay(struct session_source *source, struct session_task *task, uint64_t nanoseconds)
{
	trace_delay(of(source)->trace, task->origin, nanoseconds);
}

static const struct session_source_ops ops = {
	.time = now,
	.cpu_time = cpu_time,
	.read_comm = read_comm,
	.stack = stack,
	.expect_stack = expect_stack,
	.place = place,
	.registers = registers,
	.stack_from = stack_from,
	.executed = executed,
	.gone = gone,
	.change_call = change_call,
	.send = send_signal,
	.delay = delay,
	.is_filtered = is_filtered,
	.watch = watch,
	.watch_process = watch_process,
};

void source_ptrace_init(struct source_ptrace *source, struct session *session)
{
	*source = (struct source_ptrace){
		.base = {.ops = &ops, .holds_tasks = true},
		.session = session,
	};
}

struct session_task *source_ptrace_task(struct source_ptrace *source, struct tracee *tracee)
{
	struct session_task *task = tracee->user;

	if (!task) {
		task = session_task_create(
			source->session, &source->base, tracee->id, tracee->tgid);
		task->origin = tracee;
		tracee->user = task;
		perf_events_task(source->session, task);
	}
	// By exec a thread takes over the number of the first one.
	task->id = tracee->id;
	return task;
}

void source_ptrace_account(struct source_ptrace *source, struct session_task *task)
{
	struct session *session = source->session;
	struct schedstat account;

	if (!outputs_need(&session->outputs, OUTPUT_NEEDS_SCHEDULING) ||
		!schedstat_read(&session->schedstat, task->id.tid, &account))
		return;
	session_report(session, task,
		(struct event){.kind = EVENT_ACCOUNT,
			.account = {.ran = account.ran,
				.waited = account.waited,
				.runs = account.runs}});
}
