// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/abi.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "event/event.h"
#include "perf/record.h"
#include "proc/task.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "session/clock.h"
#include "session/faults_internal.h"
#include "session/internal.h"
#include "session/memory.h"
#include "session/observe_internal.h"
#include "session/summaries.h"
#include "session/thread_times.h"
#include "trace/tracee.h"

enum {
	/** Results from -4095 to -1 are errors (include/linux/err.h). */
	ERROR_MOST = 4095,
	/** The number that a call has lost which gives back the registers of a signal. */
	NO_NUMBER = -1,
};

static void report_task_count(struct session *session)
{
	size_t count = session->faults->tasks.count;

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
	struct session_task *task = hash_get(&session->faults->tasks, (uint64_t)tid);
	struct stop stop = {.kind = STOP_STARTED};
	struct tracee *tracee;

	if (task)
		return task;
	tracee = xcalloc(1, sizeof(*tracee));
	tracee->id = (struct task_id){.tid = tid, .serial = ++session->observe->serial};
	tracee->tgid = tgid;
	task = session_task_get(session, tracee);
	if (session->unwind && !task->process->memory->recorded.list.count)
		recorded_maps_read(&task->process->memory->recorded, tid);
	report_task_count(session);
	stop.tracee = tracee;
	if (!is_everything(session))
		session_on_lifecycle(session, task, &stop);
	return task;
}

void session_observed_drop(struct session *session, struct session_task *task)
{
	struct tracee *tracee = task->tracee;

	session_task_drop(session, task);
	free(tracee);
	report_task_count(session);
}

// Of a program that was not seen to start, by its file (elf(5)).
static unsigned word_size_of(int tid)
{
	enum { IDENT_CLASS = 4, CLASS_32 = 1 };
	cleanup_free char *path = xasprintf("/proc/%d/exe", tid);
	cleanup_fclose FILE *file = fopen(path, "re");
	unsigned char ident[IDENT_CLASS + 1];

	if (file && fread(ident, sizeof(ident), 1, file) == 1 && ident[IDENT_CLASS] == CLASS_32)
		return 4;
	return 8;
}

static void set_number(struct stop_syscall *stop, unsigned word_size, uint64_t number)
{
	const struct abi *abi;

	stop->number = (uint32_t)number;
	abi = abi_by_audit_arch(word_size == 4 ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64, stop->number);
	stop->abi_unknown = !abi;
	stop->abi = abi ? abi->id : ABI_X86_64;
}

static void enter(struct session *session, struct session_task *task, const struct stop *stop)
{
	// What the kernel had no room to record of it.
	session_abandon_call(session, task, CALL_NO_RESULT);
	mem_forget(&task->live.mem);
	task->number = stop->syscall.number;
	session_on_entry(session, task, stop);
}

// "NUMBER ARGUMENT... SP PC" of a task that sleeps in a call, see proc_pid_syscall(5).
void session_observed_met(struct session *session, struct session_task *task)
{
	int tid = task->tracee->id.tid;
	size_t length;
	cleanup_free char *text = task_file(tid, "syscall", &length);
	struct stop stop = {.kind = STOP_SYSCALL_ENTRY, .tracee = task->tracee};
	const char *cursor = text;
	uint64_t number;

	if (!text || !parse_decimal_at(&cursor, &number))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(stop.syscall.args); i++) {
		if (strncmp(cursor, " 0x", 3) != 0)
			return;
		cursor += 3;
		if (!parse_hex_at(&cursor, &stop.syscall.args[i]))
			return;
	}
	set_number(&stop.syscall, word_size_of(tid), number);
	stop.syscall.in_flight = true;
	enter(session, task, &stop);
}

static void on_enter(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct stop stop = {.kind = STOP_SYSCALL_ENTRY, .tracee = task->tracee};
	const char *name;

	set_number(&stop.syscall, record->word_size, record->number);
	memcpy(stop.syscall.args, record->args, sizeof(stop.syscall.args));
	enter(session, task, &stop);
	name = task->syscall ? task->syscall->name : "";
	if (strcmp(name, "exit_group") == 0)
		hash_set(&session->observe->ends, (uint64_t)task->tracee->tgid,
			(void *)(uintptr_t)((record->args[0] & 0xff) + 1));
}

static void on_leave(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct stop stop = {.kind = STOP_SYSCALL_EXIT, .tracee = task->tracee};
	int64_t result = (int64_t)record->args[0];

	if (!task->in_call)
		return;
	if ((uint32_t)record->number != task->number && (int32_t)record->number != NO_NUMBER)
		return;
	mem_forget(&task->live.mem);
	stop.syscall.abi = task->abi;
	memcpy(stop.syscall.args, task->call.regs, sizeof(stop.syscall.args));
	stop.syscall.number = task->number;
	stop.syscall.retval = result;
	stop.syscall.is_error = result < 0 && result >= -ERROR_MOST;
	session_on_exit(session, task, &stop);
}

static void set_comm(struct session_task *task, const char *comm)
{
	snprintf(task->comm, sizeof(task->comm), "%s", comm);
}

static void on_exec(struct session *session, struct session_task *task, const struct record *record)
{
	struct stop stop = {
		.kind = STOP_EXEC, .tracee = task->tracee, .former_tid = task->tracee->id.tid};

	session_on_lifecycle(session, task, &stop);
	set_comm(task, record->name);
}

static void on_born(struct session *session, const struct record *record)
{
	struct session_task *parent = hash_get(&session->faults->tasks, (uint64_t)record->parent);
	struct session_task *task;

	if (!session->options->follow && !is_everything(session))
		return;
	if (parent && record->pid != record->parent_pid)
		session_process_born(
			session, parent->process, record->pid, /* shares_memory= */ false);
	task = session_observed_task(session, record->tid, record->pid);
	if (parent && !task->comm[0])
		set_comm(task, parent->comm);
}

// The status a task ends with, or -1 if it did not say.
static int status_of(const struct session *session, const struct session_task *task)
{
	uintptr_t end = (uintptr_t)hash_get(&session->observe->ends, (uint64_t)task->tracee->tgid);
	bool is_exit = task->in_call && task->syscall && strcmp(task->syscall->name, "exit") == 0;

	if (end)
		return (int)end - 1;
	return is_exit ? (int)(task->call.regs[0] & 0xff) : -1;
}

static void on_gone(struct session *session, struct session_task *task)
{
	struct stop stop = {.kind = STOP_EXITED, .tracee = task->tracee};
	struct tracee *tracee = task->tracee;
	bool is_command = tracee->id.tid == session->command_pid;
	bool is_last = task->process->task_count == 1;
	int status = status_of(session, task);

	if (is_last)
		hash_remove(&session->observe->ends, (uint64_t)tracee->tgid);
	if (status < 0 && is_command && !session->observe->reaped)
		session_observe_reap(session, /* wait= */ true);
	stop.status = status;
	if (status < 0 && is_command) {
		stop.kind = STOP_KILLED;
		stop.signal = session->result.signal;
	} else if (status < 0) {
		session_abandon_call(session, task, CALL_NO_RESULT);
		session_observed_drop(session, task);
		return;
	}
	session_on_lifecycle(session, task, &stop);
	free(tracee);
	report_task_count(session);
}

static void on_lost(struct session *session, const struct record *record)
{
	struct session_task *task = hash_get(&session->faults->tasks, (uint64_t)record->tid);
	struct event event = {.kind = EVENT_LOST,
		.task = {.tid = record->tid},
		.pid = record->pid,
		.comm = "",
		.lost = {.count = record->lost, .what = "events"}};

	if (task)
		session_task_event(task, &event);
	session_clock(session, &event.wall, &event.monotonic);
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
		session->observe->has_begun = syscall && strcmp(syscall->name, "execve") == 0;
	}
	return !session->observe->has_begun;
}

static void handle(struct session *session, const struct record *record)
{
	struct session_task *task = hash_get(&session->faults->tasks, (uint64_t)record->tid);

	switch (record->kind) {
	case RECORD_ENTER:
	case RECORD_FAULT:
		if (!task)
			task = session_observed_task(session, record->tid, record->pid);
		if (record->kind == RECORD_ENTER)
			on_enter(session, task, record);
		else
			session_on_fault(session, task, record);
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
			set_comm(task, record->name);
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
	struct session_task *task = hash_get(&session->faults->tasks, (uint64_t)record->tid);

	if (!task)
		return;
	session_times_record(session, task, record);
	session_summary_record(session, task, record);
}

void session_observed(struct session *session, const struct record *record)
{
	if (record->kind != RECORD_LOST && is_ours(session, record))
		return;
	session->record = record;
	// Its account ends with it.
	if (record->kind == RECORD_GONE)
		account(session, record);
	handle(session, record);
	if (record->kind != RECORD_GONE)
		account(session, record);
	session->record = NULL;
}

bool session_observe_stack(
	struct session *session, struct session_task *task, struct unwind_stack *ret)
{
	if (session->options->output.stack == OUTPUT_STACK_NONE ||
		session->record->kind != RECORD_ENTER)
		return false;
	// The execve that starts the command is made by our own child.
	if (task->tracee->tgid == session->command_pid && !session->command_runs)
		return false;
	session_sampled_stack(session, task, session->record, &task->call.arena, ret);
	return true;
}
