// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "base/array.h"
#include "decode/decoder.h"
#include "event/event.h"
#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "session/clock.h"
#include "session/hidden.h"
#include "session/internal.h"
#include "session/memory.h"
#include "session/observe.h"
#include "session/rings.h"
#include "session/summaries.h"
#include "session/watch.h"
#include "trace/tracee.h"

enum {
	/** ERESTART_RESTARTBLOCK of the kernel's include/linux/errno.h. */
	RESTART_BY_CALL = 516,
	NS_PER_S = 1000000000,
};

static struct event call_event(struct session_task *task)
{
	return (struct event){
		.kind = EVENT_CALL,
		.task = task->tracee->id,
		.pid = task->tracee->tgid,
		.comm = task->comm,
		.wall = task->wall,
		.monotonic = task->monotonic,
		.in_flight = task->in_flight,
		.stack_shown = task->stack_shown,
		.call = &task->call,
		.stack = task->has_stack ? &task->stack : NULL,
		.kernel = task->has_kernel ? &task->kernel : NULL,
	};
}

static void begin(struct session *session, struct session_task *task)
{
	struct event event = call_event(task);

	outputs_call_begin(&session->outputs, &event);
	task->begun = true;
	task->shown = true;
}

static void end(struct session *session, struct session_task *task)
{
	struct event event;

	task->has_kernel = session_kernel_stack_take(
		session, task->tracee->id.tid, &task->call.arena, &task->kernel);
	event = call_event(task);

	event.duration = session_elapsed(session, task->monotonic);
	outputs_call_end(&session->outputs, &event);
	session_summary_exit(session, task, &event);
	session_count_event(session);
}

// What -P will miss is said once.
static void say_blind(struct session *session, unsigned blind)
{
	static const struct {
		unsigned blind;
		const char *text;
	} reasons[] = {
		{CALL_BLIND_POLLED, "the kernel polls a ring of io_uring: what is submitted to it "
				    "cannot be seen"},
		{CALL_BLIND_RING, "the queue of a ring of io_uring cannot be read: what is "
				  "submitted to it cannot be seen"},
		{CALL_BLIND_SLOT, "the kernel does not tell which files are registered with a "
				  "ring of io_uring: what is done with them cannot be seen"},
	};

	if (!session->options->query->paths.patterns.count)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (blind & ~session->told_blind & reasons[i].blind)
			fprintf(stderr, "tracer: %s\n", reasons[i].text);
	}
	session->told_blind |= blind;
}

void session_show_running(struct session *session, struct session_task *task)
{
	struct event event;

	if (!task->has_stack && task->has_regs) {
		mem_forget(&task->live.mem);
		task->has_stack = session_stack_take_from(
			session, task, &task->regs, &task->call.arena, &task->stack);
	}
	event = call_event(task);
	event.duration = session_elapsed(session, task->monotonic);
	outputs_call_runs(&session->outputs, &event);
	task->stack_shown = task->has_stack;
}

static const char *resumed_by(const struct session_task *task, const struct stop_syscall *entry)
{
	if (entry->number != abi_get(entry->abi)->numbers.restart_syscall)
		return NULL;
	return task->interrupted ? task->interrupted : "system call";
}

static void take_stack(struct session *session, struct session_task *task, const struct stop *stop)
{
	if (session->record)
		task->has_stack = session_observe_stack(session, task, &task->stack);
	else
		task->has_stack = session_stack_take_at(
			session, task, &stop->syscall, &task->call.arena, &task->stack);
}

static void show_entry(struct session *session, struct session_task *task)
{
	begin(session, task);
	if (task->in_flight)
		session_show_running(session, task);
	session_long_calls_add(session, task);
}

static void reset(struct session_task *task, const struct stop_syscall *entry)
{
	const struct syscall *syscall = syscall_by_number(entry->abi, entry->number);

	call_reset(&task->call);
	memcpy(task->call.regs, entry->args, sizeof(task->call.regs));
	task->in_call = true;
	task->begun = false;
	task->late = false;
	task->has_stack = false;
	task->has_kernel = false;
	task->syscall = syscall;
	task->in_flight = entry->in_flight;
	task->stack_shown = task->has_regs = false;
	task->facts = syscall && syscall->desc ? syscall->desc->facts : 0;
}

// What apply_facts() goes by.
static const unsigned facts_at_exit = FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS | FACT_CHANGES_COMM |
				      FACT_EXEC | FACT_CHANGES_ROOT | FACT_MAKES_RING |
				      FACT_NUMBERS_RINGS | FACT_FILTERS_CALLS;

bool session_on_entry(struct session *session, struct session_task *task, const struct stop *stop)
{
	const struct query *query = session->options->query;
	const struct stop_syscall *entry = &stop->syscall;

	if (entry->abi != task->abi)
		session_on_abi(session, task, entry->abi);
	reset(task, entry);
	task->ignored = !syscall_set_has(&query->calls, entry->abi, entry->number) ||
			session_hides(session, task);
	if (task->ignored)
		return !(task->facts & facts_at_exit) && !session_watch_entry(session, task);
	switch (session_watch_glance(session, task, entry)) {
	case GLANCE_NO:
		task->ignored = true;
		return !(task->facts & facts_at_exit);
	case GLANCE_LATER:
		task->late = true;
		break;
	case GLANCE_UNSURE:
		break;
	}
	session_clock(session, &task->wall, &task->monotonic);
	session_summary_entry(session, task);
	session_long_calls_show(session, task->monotonic);
	task->call.sp = entry->sp;
	task->call.resumes = resumed_by(task, entry);
	if (task->in_flight)
		task->has_kernel = session_kernel_stack_recall(
			session, task->tracee->id.tid, &task->call.arena, &task->kernel);
	if (task->late) {
		if (session->record)
			take_stack(session, task, stop);
		task->verdict = MATCH_LATER;
		return false;
	}
	if (session->options->stacks.every && !session->record)
		session_stack_expect(session, task, entry);
	decode_entry(&task->call, &session->options->decode, &task->live.view, entry->abi,
		entry->number, entry->args);
	say_blind(session, task->call.blind);
	task->verdict = match_entry(query, &session->paths, &task->path, &task->call);
	if (task->verdict != MATCH_YES)
		session_hidden_check(session, task);
	if (task->verdict == MATCH_NO) {
		task->ignored = true;
		return !(task->facts & facts_at_exit) && !session_watch_entry(session, task);
	}
	if (session->record)
		take_stack(session, task, stop);
	if (task->verdict == MATCH_YES) {
		if (session->options->stacks.every && !session->record)
			take_stack(session, task, stop);
		if (query->statuses == QUERY_STATUS_ALL && !session_decides_late(session))
			show_entry(session, task);
	}
	return false;
}

static void apply_facts(struct session *session, struct session_task *task, const struct stop *stop)
{
	if (stop->syscall.is_error)
		return;
	if (task->facts & (FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS))
		session_memory_changed(
			task->process->memory, task->syscall, task->call.regs, &stop->syscall);
	// Of an observed task records tell it.
	if (task->facts & (FACT_CHANGES_COMM | FACT_EXEC) && !session->record)
		task_comm(task->tracee->id.tid, task->comm);
	if (task->facts & FACT_CHANGES_ROOT)
		path_filter_roots_changed(&session->paths.filter);
	if (task->facts & (FACT_MAKES_RING | FACT_NUMBERS_RINGS) && !session->record)
		session_rings_changed(session, task, stop->syscall.retval);
}

// The kernel keeps what such a call still has to do, and restart_syscall does it.
static void remember_interrupted(struct session_task *task, const struct stop_syscall *exit)
{
	const struct syscall *syscall;

	if (exit->retval != -RESTART_BY_CALL)
		return;
	syscall = syscall_by_number(exit->abi, exit->number);
	if (!syscall || exit->number != abi_get(exit->abi)->numbers.restart_syscall)
		task->interrupted = syscall ? syscall->name : NULL;
}

// A call that has ended. Its stack is still what it was, unless the program is another one.
static bool deserves_stack(const struct session *session, const struct session_task *task)
{
	const struct session_stacks *stacks = &session->options->stacks;
	struct timespec duration;

	if (stacks->every)
		return task->verdict == MATCH_LATER;
	if (stacks->failed && task->call.result == CALL_ERROR)
		return true;
	if (!stacks->slow || ((task->facts & FACT_EXEC) && task->call.result == CALL_SUCCESS))
		return false;
	duration = session_elapsed(session, task->monotonic);
	return (uint64_t)duration.tv_sec >= stacks->slow / NS_PER_S + 1 ||
	       (uint64_t)duration.tv_sec * NS_PER_S + (uint64_t)duration.tv_nsec >= stacks->slow;
}

// Of an observed call the stack is only known at its entry.
static void settle_stack(
	struct session *session, struct session_task *task, const struct stop *stop)
{
	bool is_due = deserves_stack(session, task);

	if (session->record)
		task->has_stack &= is_due || session->options->stacks.every;
	else if (!task->has_stack && is_due)
		take_stack(session, task, stop);
}

// Whether the call has to do with what is asked for; its outcome may not.
static bool finish(struct session *session, struct session_task *task, const struct stop *stop)
{
	const struct query *query = session->options->query;

	if (task->late) {
		if (stop->syscall.is_error ||
			!glance_result(&session->paths, &task->path, stop->syscall.retval))
			return false;
		decode_entry(&task->call, &session->options->decode, &task->live.view,
			stop->syscall.abi, stop->syscall.number, stop->syscall.args);
	}
	decode_exit(&task->call, &session->options->decode, &task->live.view, stop->syscall.retval,
		stop->syscall.is_error);
	task->call.is_disturbed = stop->syscall.in_flight && task->call.result == CALL_ERROR &&
				  task->call.error == EINTR;
	if (task->verdict == MATCH_LATER && !match_exit(&session->paths, &task->path, &task->call))
		return false;
	if (!match_status(query, &task->call))
		return true;
	settle_stack(session, task, stop);
	if (!task->begun && !session_is_enough(session, session_elapsed(session, task->monotonic),
				    task->has_stack ? &task->stack : NULL))
		return true;
	if (!task->begun)
		begin(session, task);
	end(session, task);
	if (query->paths.patterns.count)
		match_done(&session->paths, &task->path, &task->call);
	return true;
}

void session_on_exit(struct session *session, struct session_task *task, const struct stop *stop)
{
	bool matched;

	if (!task->in_call)
		return;
	apply_facts(session, task, stop);
	remember_interrupted(task, &stop->syscall);
	task->in_call = false;
	session_long_calls_remove(session, task);
	matched = !task->ignored && finish(session, task, stop);
	session_watch_exit(session, task, stop, matched);
}

void session_abandon_call(
	struct session *session, struct session_task *task, enum call_result result)
{
	if (!task->in_call)
		return;
	task->in_call = false;
	session_long_calls_remove(session, task);
	if (task->ignored || task->verdict != MATCH_YES)
		return;
	if (result == CALL_NO_RESULT)
		decode_no_result(&task->call);
	if (!match_status(session->options->query, &task->call))
		return;
	if (!task->begun && session_decides_late(session))
		return;
	if (!task->begun)
		begin(session, task);
	end(session, task);
}
