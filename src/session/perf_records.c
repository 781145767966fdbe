// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "event/event.h"
#include "perf/record.h"
#include "proc/task.h"
#include "proc/task_syscall.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "session/memory.h"
#include "session/on_lifecycle.h"
#include "session/on_syscall.h"
#include "session/perf_events.h"
#include "session/perf_records.h"
#include "session/state.h"
#include "trace/stop.h"

enum {
	/** The number that a call has lost which gives back the registers of a signal. */
	NO_NUMBER = -1,
};

static void report_task_count(struct session *session)
{
	size_t count = session->perf->tasks.count;

	if (count == session->observe->task_count)
		return;
	session->observe->task_count = count;
	outputs_tasks(&session->outputs, count);
}

static bool is_everything(const struct session *session)
{
	return session->options->observe.everything;
}

struct session_task *session_observed_task(struct session *session, int tid, int tgid)
{
	struct session_task *task = hash_get(&session->perf->tasks, (uint64_t)tid);
	const struct stop stop = {.kind = STOP_STARTED};
	struct task_id id = {.tid = tid};

	if (task)
		return task;
	id.serial = ++session->observe->serial;
	task = source_perf_task(&session->perf->source, id, tgid);
	if (session->unwind && !task->process->memory->recorded.list.count)
		recorded_maps_read(&task->process->memory->recorded, tid);
	report_task_count(session);
	if (!is_everything(session))
		session_on_lifecycle(session, task, &stop);
	return task;
}

void session_observed_drop(struct session *session, struct session_task *task)
{
	session_task_drop(session, task);
	report_task_count(session);
}

static void set_number(struct stop_syscall *stop, unsigned word_size, uint64_t number)
{
	const struct abi *abi;

	stop->number = (uint32_t)number;
	abi = abi_by_audit_arch(abi_by_word_size(word_size)->audit_arch, stop->number);
	stop->abi_unknown = !abi;
	stop->abi = abi ? abi->id : abi_native()->id;
}

static void enter(struct session *session, struct session_task *task, const struct stop *stop)
{
	struct source_perf_task *origin = task->origin;

	// What the kernel had no room to record of it.
	session_call_abandon(session, task, CALL_NO_RESULT);
	mem_forget(&task->live.mem);
	origin->number = stop->syscall.number;
	session_on_entry(session, task, stop);
}

// Of a task that sleeps in a call.
void session_observed_met(struct session *session, struct session_task *task)
{
	int tid = task->id.tid;
	struct stop stop = {.kind = STOP_SYSCALL_ENTRY};
	struct task_syscall call = task_syscall_read(tid);

	if (call.kind != TASK_SYSCALL_CALL)
		return;
	memcpy(stop.syscall.args, call.args, sizeof(stop.syscall.args));
	set_number(&stop.syscall, task_syscall_word_size(tid, &call), call.number);
	stop.syscall.in_flight = true;
	enter(session, task, &stop);
}

// The status that a call ends with, as the parent is told it.
static int status_operand(
	const struct syscall_effect *ends, const struct stop *stop, const uint64_t *args)
{
	return (int)(args[ends->operands[0][stop->syscall.abi]] & 0xff);
}

static void on_enter(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct stop stop = {.kind = STOP_SYSCALL_ENTRY};
	const struct syscall_effect *ends;

	set_number(&stop.syscall, record->word_size, record->number);
	memcpy(stop.syscall.args, record->args, sizeof(stop.syscall.args));
	enter(session, task, &stop);
	ends = syscall_effect(task->call.syscall, EFFECT_ENDS_PROCESS, NULL);
	if (ends)
		hash_set(&session->observe->ends, (uint64_t)task->tgid,
			(void *)(uintptr_t)(status_operand(ends, &stop, record->args) + 1));
}

static void on_leave(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct stop stop = {.kind = STOP_SYSCALL_EXIT};
	int64_t result = (int64_t)record->args[0];
	const struct source_perf_task *origin = task->origin;

	if (!task->call.under_way)
		return;
	if ((uint32_t)record->number != origin->number && (int32_t)record->number != NO_NUMBER)
		return;
	mem_forget(&task->live.mem);
	stop.syscall.abi = task->abi;
	memcpy(stop.syscall.args, task->decoded.regs, sizeof(stop.syscall.args));
	stop.syscall.number = origin->number;
	stop.syscall.retval = result;
	stop.syscall.is_error = result_is_error(result);
	session_on_exit(session, task, &stop);
}

static void on_exec(struct session *session, struct session_task *task, const struct record *record)
{
	struct stop stop = {.kind = STOP_EXEC, .former_tid = task->id.tid};

	session_on_lifecycle(session, task, &stop);
	session_task_rename(session, task, record->name);
}

static void on_born(struct session *session, const struct record *record)
{
	struct session_task *parent = hash_get(&session->perf->tasks, (uint64_t)record->parent);
	struct session_task *task;

	if (!session->options->follow && !is_everything(session))
		return;
	if (parent && record->pid != record->parent_pid)
		session_process_born(
			session, parent->process, record->pid, /* shares_memory= */ false);
	task = session_observed_task(session, record->tid, record->pid);
	if (parent && !task->comm[0])
		memcpy(task->comm, parent->comm, sizeof(task->comm));
	if (parent)
		session_report_child(session, parent, record->tid,
			record->pid == record->parent_pid ? EVENT_CHILD_THREAD
							  : EVENT_CHILD_PROCESS);
}

// The status a task ends with, or -1 if it did not say.
static int status_of(const struct session *session, const struct session_task *task)
{
	uintptr_t end = (uintptr_t)hash_get(&session->observe->ends, (uint64_t)task->tgid);
	const struct syscall_effect *ends =
		task->call.under_way ? syscall_effect(task->call.syscall, EFFECT_ENDS_THREAD, NULL)
				     : NULL;

	if (end)
		return (int)end - 1;
	return ends ? (int)(task->decoded.regs[ends->operands[0][task->decoded.abi]] & 0xff) : -1;
}

void session_observe_reap(struct session *session, bool wait)
{
	int status;
	pid_t got;

	if (!session->command_pid || session->observe->reaped)
		return;
	do
		got = waitpid(session->command_pid, &status, wait ? 0 : WNOHANG);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return;
	session->observe->reaped = true;
	if (got < 0)
		return;
	session->result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	session->result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void on_gone(struct session *session, struct session_task *task)
{
	struct stop stop = {.kind = STOP_EXITED};
	bool is_command = task->id.tid == session->command_pid;
	bool is_last = task->process->task_count == 1;
	int status = status_of(session, task);

	if (is_last)
		hash_remove(&session->observe->ends, (uint64_t)task->tgid);
	if (status < 0 && is_command && !session->observe->reaped)
		session_observe_reap(session, /* wait= */ true);
	stop.status = status;
	if (status < 0 && is_command) {
		stop.kind = STOP_KILLED;
		stop.signal = session->result.signal;
	} else if (status < 0) {
		session_call_abandon(session, task, CALL_NO_RESULT);
		session_observed_drop(session, task);
		return;
	}
	session_on_lifecycle(session, task, &stop);
	report_task_count(session);
}

static void on_lost(struct session *session, const struct record *record)
{
	const struct session_source *source = &session->perf->source.base;
	struct session_task *task = hash_get(&session->perf->tasks, (uint64_t)record->tid);
	struct event event = {.kind = EVENT_LOST,
		.task = {.tid = record->tid},
		.pid = record->pid,
		.comm = "",
		.lost = {.count = record->lost, .what = "events"}};

	if (task)
		session_task_event(task, task->source, &event);
	else
		source->ops->time(source, &event.wall, &event.monotonic);
	outputs_event(&session->outputs, &event);
}

// Between fork and exec the command's code is our own.
static bool is_ours(struct session *session, const struct record *record)
{
	if (record->pid == getpid() || record->tid <= 0)
		return true;
	if (record->pid != session->command_pid || session->observe->has_begun)
		return false;
	if (record->kind == RECORD_ENTER) {
		struct stop_syscall stop;
		const struct syscall *syscall;

		set_number(&stop, record->word_size, record->number);
		syscall = syscall_by_number(stop.abi, stop.number);
		session->observe->has_begun =
			syscall && syscall->desc && syscall->desc->facts & FACT_EXEC;
	}
	return !session->observe->has_begun;
}

static void handle(struct session *session, const struct record *record)
{
	struct session_task *task = hash_get(&session->perf->tasks, (uint64_t)record->tid);

	switch (record->kind) {
	case RECORD_ENTER:
	case RECORD_FAULT:
		if (!task)
			task = session_observed_task(session, record->tid, record->pid);
		if (record->kind == RECORD_ENTER)
			on_enter(session, task, record);
		else
			perf_events_fault(session, task, record);
		break;
	case RECORD_LEAVE:
		if (task)
			on_leave(session, task, record);
		break;
	case RECORD_EXEC:
		if (task)
			on_exec(session, task, record);
		break;
	case RECORD_COMM:
		if (task)
			session_task_rename(session, task, record->name);
		break;
	case RECORD_MAP:
		if (task)
			session_memory_mapped(task->process->memory, &record->map, record->name);
		break;
	case RECORD_BORN:
		on_born(session, record);
		break;
	case RECORD_GONE:
		if (task)
			on_gone(session, task);
		break;
	case RECORD_LOST:
		on_lost(session, record);
		break;
	case RECORD_RUNS:
	case RECORD_PREEMPTED:
	case RECORD_SLEEPS:
		if (!task && is_everything(session))
			session_observed_task(session, record->tid, record->pid);
		break;
	case RECORD_OTHER:
		break;
	}
}

static void account(struct session *session, const struct record *record)
{
	struct session_task *task = hash_get(&session->perf->tasks, (uint64_t)record->tid);

	if (!task)
		return;
	source_perf_account(task, record);
}

void session_observed(struct session *session, const struct record *record)
{
	if (record->kind != RECORD_LOST && is_ours(session, record))
		return;
	session->perf->source.record = record;
	// Its account ends with it.
	if (record->kind == RECORD_GONE)
		account(session, record);
	handle(session, record);
	if (record->kind != RECORD_GONE)
		account(session, record);
	session->perf->source.record = NULL;
}
