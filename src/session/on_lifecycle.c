// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/on_lifecycle.h"

#include <sched.h>

#include "event/event.h"
#include "proc/task.h"
#include "proc/task_status.h"
#include "session/state.h"

static void report_running(struct session *session, struct session_task *task)
{
	struct event event = {.kind = EVENT_RUNNING};
	struct unwind_stack stack;

	call_reset(&session->scratch);
	if (session->options->stacks.every &&
		source_stack(task->source, task, NULL, &session->scratch.arena, &stack))
		event.stack = &stack;
	session_report(session, task, event);
}

static void on_started(struct session *session, struct session_task *task, const struct stop *stop)
{
	// The command we launched starts without a word, as under strace.
	if (task->id.tid != session->command_pid &&
		!(session->options->quiet & SESSION_QUIET_ATTACH))
		session_report(
			session, task, (struct event){.kind = EVENT_ATTACHED, .text = "attached"});
	if (stop->computes && session_is_told(session, task))
		report_running(session, task);
}

static enum event_child child_kind(uint64_t clone_flags, bool is_thread)
{
	if (is_thread)
		return EVENT_CHILD_THREAD;
	if (clone_flags & CLONE_VFORK)
		return EVENT_CHILD_VFORK;
	return clone_flags & ~(uint64_t)CSIGNAL ? EVENT_CHILD_PROCESS : EVENT_CHILD_FORK;
}

// The child starts with its parent's modules, or shares its memory.
static void on_child(struct session *session, struct session_task *task, const struct stop *stop)
{
	bool is_thread = (stop->clone_flags & CLONE_THREAD) || task_tgid(stop->child) == task->tgid;

	session_report_child(session, task, stop->child, child_kind(stop->clone_flags, is_thread));
	if (is_thread)
		return;
	session_process_born(session, task->process, stop->child, stop->clone_flags & CLONE_VM);
}

static void on_exec(struct session *session, struct session_task *task, const struct stop *stop)
{
	if (task->source->ops->executed)
		task->source->ops->executed(task->source, task, stop->former_tid);
	if (task->tgid == session->command_pid)
		session->command_runs = true;
	session_process_exec(task->process);
	task->live.mem.tid = task->id.tid;
	mem_forget(&task->live.mem);
	uring_numbers_clear(&task->live.rings);
	path_task_exec(&task->path, task->id.tid);
	if (!session_hides(session, task))
		session_report(session, task,
			(struct event){
				.kind = EVENT_EXEC, .exec = {.former_tid = stop->former_tid}});
}

static void on_end(struct session *session, struct session_task *task, const struct stop *stop)
{
	struct event event = {0};

	session_call_abandon(session, task, CALL_NO_RESULT);
	if (stop->kind == STOP_EXITED) {
		event.kind = EVENT_EXITED;
		event.exit.status = stop->status;
	} else {
		event.kind = EVENT_KILLED;
		event.exit.status = stop->signal;
		event.exit.core_dumped = stop->core_dumped;
	}
	if (task->id.tid == session->command_pid) {
		session->result.status = stop->kind == STOP_EXITED ? stop->status : 0;
		session->result.signal = stop->kind == STOP_KILLED ? stop->signal : 0;
	}
	if (!(session->options->quiet & SESSION_QUIET_EXIT) && session_is_told(session, task) &&
		(event.kind == EVENT_EXITED || session_shows_signal(session, stop->signal)))
		session_report(session, task, event);
	session_task_drop(session, task);
}

static void on_superseded(
	struct session *session, struct session_task *task, const struct stop *stop)
{
	session_call_abandon(session, task, CALL_NO_RESULT);
	if (!(session->options->quiet & SESSION_QUIET_THREAD_EXECVE))
		session_report(session, task,
			(struct event){.kind = EVENT_SUPERSEDED,
				.superseded = {.by = stop->superseded_by}});
	session_task_drop(session, task);
}

static void on_detached(struct session *session, struct session_task *task)
{
	session_call_abandon(session, task, CALL_UNFINISHED);
	if (!(session->options->quiet & SESSION_QUIET_ATTACH))
		session_report(
			session, task, (struct event){.kind = EVENT_DETACHED, .text = "detached"});
	session_task_drop(session, task);
}

void session_on_lifecycle(
	struct session *session, struct session_task *task, const struct stop *stop)
{
	switch (stop->kind) {
	case STOP_STARTED:
		on_started(session, task, stop);
		break;
	case STOP_CHILD:
		on_child(session, task, stop);
		break;
	case STOP_EXEC:
		on_exec(session, task, stop);
		break;
	case STOP_EXITED:
	case STOP_KILLED:
		on_end(session, task, stop);
		break;
	case STOP_SUPERSEDED:
		on_superseded(session, task, stop);
		break;
	case STOP_DETACHED:
		on_detached(session, task);
		break;
	case STOP_SYSCALL_ENTRY:
	case STOP_SYSCALL_EXIT:
	case STOP_SIGNAL:
	case STOP_GROUP:
	case STOP_OTHER:
		break;
	}
}
