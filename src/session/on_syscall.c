// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/on_syscall.h"

#include <errno.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/time_units.h"
#include "decode/decoder.h"
#include "event/event.h"
#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "session/access_check.h"
#include "session/call.h"
#include "session/fd_watch.h"
#include "session/kernel_stacks.h"
#include "session/memory.h"
#include "session/stacks.h"
#include "session/state.h"
#include "session/tamper.h"
#include "session/uring_tracking.h"
#include "trace/stop.h"

static const char *resumed_by(const struct session_task *task, const struct stop_syscall *entry)
{
	if (entry->number != abi_get(entry->abi)->numbers.restart_syscall)
		return NULL;
	return task->interrupted ? task->interrupted : "system call";
}

static void take_stack(struct session_task *task, const struct stop *stop)
{
	task->call.has_stack = source_stack(
		task->source, task, &stop->syscall, &task->decoded.arena, &task->call.stack);
}

static void reset(
	struct session *session, struct session_task *task, const struct stop_syscall *entry)
{
	const struct syscall *syscall = syscall_by_number(entry->abi, entry->number);

	session_long_calls_remove(session, task);
	call_reset(&task->decoded);
	memcpy(task->decoded.regs, entry->args, sizeof(task->decoded.regs));
	task->call = (struct session_call){
		.under_way = true,
		.syscall = syscall,
		.in_flight = entry->in_flight,
		.ip = entry->ip,
		.facts = syscall && syscall->desc ? syscall->desc->facts : 0,
	};
}

// What apply_facts() goes by.
static const unsigned facts_at_exit = FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS | FACT_CHANGES_COMM |
				      FACT_EXEC | FACT_CHANGES_ROOT | FACT_MAKES_RING |
				      FACT_NUMBERS_RINGS | FACT_FILTERS_CALLS | FACT_SHARES_MEMORY;

static void on_abi(struct session *session, struct session_task *task, enum abi_id abi)
{
	task->abi = session->abi = abi;
	if (!(session->options->quiet & SESSION_QUIET_PERSONALITY))
		session_report(session, task, (struct event){.kind = EVENT_ABI, .abi = abi});
}

static void decode(
	struct session *session, struct session_task *task, const struct stop_syscall *entry)
{
	decode_entry(&task->decoded, &session->options->decode, task->view, entry->abi,
		entry->number, entry->args);
}

// Something wrote to the memory behind its arguments.
static void decode_again(
	struct session *session, struct session_task *task, const struct stop_syscall *entry)
{
	const char *resumes = task->decoded.resumes;

	call_reset(&task->decoded);
	memcpy(task->decoded.regs, entry->args, sizeof(task->decoded.regs));
	task->decoded.sp = entry->sp;
	task->decoded.resumes = resumes;
	decode(session, task, entry);
}

// The call is one to show, if it ends as it should.
static void show_entry(struct session *session, struct session_task *task, const struct stop *stop)
{
	if (session_tamper_entry(session, task, stop))
		decode_again(session, task, &stop->syscall);
	if (session->options->stacks.every && !task->source->has_stack_at_entry_only)
		take_stack(task, stop);
	if (session->options->query->statuses == QUERY_STATUS_ALL && !session_decides_late(session))
		session_call_show_entry(session, task);
}

bool session_on_entry(struct session *session, struct session_task *task, const struct stop *stop)
{
	const struct query *query = session->options->query;
	const struct stop_syscall *entry = &stop->syscall;

	if (entry->abi != task->abi)
		on_abi(session, task, entry->abi);
	reset(session, task, entry);
	task->call_number = (int64_t)entry->number;
	task->call.ignored = !syscall_set_has(&query->calls, entry->abi, entry->number) ||
			     session_hides(session, task);
	if (task->call.ignored)
		return !(task->call.facts & facts_at_exit) && !fd_watch_entry(session, task);
	switch (fd_watch_prefilter(session, task, entry)) {
	case PREFILTER_NO:
		task->call.ignored = true;
		return !(task->call.facts & facts_at_exit);
	case PREFILTER_LATER:
		task->call.late = true;
		break;
	case PREFILTER_UNSURE:
		break;
	}
	task->source->ops->time(task->source, &task->call.wall, &task->call.monotonic);
	session_call_take_cpu(session, task);
	session_call_show_long(session, task->call.monotonic);
	task->decoded.sp = entry->sp;
	task->decoded.resumes = resumed_by(task, entry);
	if (task->call.in_flight)
		task->call.has_kernel = session_kernel_stack_recall(
			session, task->id.tid, &task->decoded.arena, &task->call.kernel);
	if (task->call.late) {
		if (task->source->has_stack_at_entry_only)
			take_stack(task, stop);
		task->call.verdict = MATCH_LATER;
		return false;
	}
	if (session->options->stacks.every && task->source->ops->expect_stack)
		task->source->ops->expect_stack(task->source, task, entry);
	decode(session, task, entry);
	uring_tracking_blind(session, task->decoded.blind);
	task->call.verdict = match_entry(query, &session->paths, &task->path, &task->decoded);
	if (task->call.verdict != MATCH_YES)
		session_access_check(session, task);
	if (task->call.verdict == MATCH_NO) {
		task->call.ignored = true;
		return !(task->call.facts & facts_at_exit) && !fd_watch_entry(session, task);
	}
	if (task->source->has_stack_at_entry_only)
		take_stack(task, stop);
	if (task->call.verdict == MATCH_YES)
		show_entry(session, task, stop);
	return false;
}

static void apply_facts(struct session *session, struct session_task *task, const struct stop *stop)
{
	// What was not made has done nothing, whatever it returns.
	if (stop->syscall.is_error || stop->syscall.is_changed)
		return;
	if (task->call.facts & (FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS))
		session_memory_changed(task->process->memory, task->call.syscall,
			task->decoded.regs, &stop->syscall);
	if (task->call.facts & FACT_SHARES_MEMORY)
		session_stack_task_made(session, task);
	if (task->call.facts & (FACT_CHANGES_COMM | FACT_EXEC))
		session_task_rename(session, task, /* name= */ NULL);
	if (task->call.facts & FACT_CHANGES_ROOT)
		path_filter_roots_changed(&session->paths.filter);
	if (task->call.facts & (FACT_MAKES_RING | FACT_NUMBERS_RINGS) && task->source->holds_tasks)
		uring_tracking_call(session, task, stop->syscall.retval);
}

// The kernel keeps what such a call still has to do, and restart_syscall does it.
static void remember_interrupted(struct session_task *task, const struct stop_syscall *exit)
{
	const struct syscall *syscall;

	if (exit->retval != -ERESTART_RESTARTBLOCK || exit->is_changed)
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
		return task->call.verdict == MATCH_LATER;
	if (stacks->failed && task->decoded.result == CALL_ERROR)
		return true;
	if (!stacks->slow ||
		((task->call.facts & FACT_EXEC) && task->decoded.result == CALL_SUCCESS))
		return false;
	duration = session_call_duration(task);
	return (uint64_t)duration.tv_sec >= stacks->slow / NS_PER_S + 1 ||
	       (uint64_t)duration.tv_sec * NS_PER_S + (uint64_t)duration.tv_nsec >= stacks->slow;
}

static void settle_stack(
	struct session *session, struct session_task *task, const struct stop *stop)
{
	bool is_due = deserves_stack(session, task);

	if (task->source->has_stack_at_entry_only)
		task->call.has_stack &= is_due || session->options->stacks.every;
	else if (!task->call.has_stack && is_due)
		take_stack(task, stop);
}

// Whether the call has to do with what is asked for; its outcome may not.
static bool finish(struct session *session, struct session_task *task, const struct stop *stop)
{
	const struct query *query = session->options->query;

	if (task->call.late) {
		if (stop->syscall.is_error ||
			!prefilter_result(&session->paths, &task->path, stop->syscall.retval))
			return false;
		decode(session, task, &stop->syscall);
	}
	decode_exit(&task->decoded, &session->options->decode, task->view, stop->syscall.retval,
		stop->syscall.is_error);
	task->decoded.is_disturbed = stop->syscall.in_flight &&
				     task->decoded.result == CALL_ERROR &&
				     task->decoded.error == EINTR;
	if (task->call.verdict == MATCH_LATER &&
		!match_exit(&session->paths, &task->path, &task->decoded))
		return false;
	if (!match_status(query, &task->decoded))
		return true;
	settle_stack(session, task, stop);
	if (!task->call.begun && !session_passes_thresholds(session, session_call_duration(task),
					 task->call.has_stack ? &task->call.stack : NULL))
		return true;
	session_call_show_end(session, task);
	if (query->paths.patterns.count && !stop->syscall.is_changed)
		match_done(&session->paths, &task->path, &task->decoded);
	return true;
}

void session_on_exit(struct session *session, struct session_task *task, const struct stop *stop)
{
	bool matched;

	if (!task->call.under_way)
		return;
	apply_facts(session, task, stop);
	remember_interrupted(task, &stop->syscall);
	task->call.under_way = false;
	session_long_calls_remove(session, task);
	session_tamper_exit(session, task, stop);
	matched = !task->call.ignored && finish(session, task, stop);
	if (!stop->syscall.is_changed)
		fd_watch_exit(session, task, stop, matched);
}
