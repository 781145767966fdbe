// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/task.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "event/event.h"
#include "session/internal.h"
#include "trace/tracee.h"
#include "unwind/unwind.h"

struct session_process *session_process_find(struct session *session, int tgid)
{
	return hash_get(&session->processes, (uint64_t)tgid);
}

static struct session_process *process_get(struct session *session, int tgid)
{
	struct session_process *process = session_process_find(session, tgid);

	if (!process) {
		process = xcalloc(1, sizeof(*process));
		process->tgid = tgid;
		hash_set(&session->processes, (uint64_t)tgid, process);
	}
	return process;
}

void session_process_exec(struct session_process *process)
{
	unwind_space_destroy(process->space);
	process->space = NULL;
	process_maps_exec(&process->maps);
}

struct session_task *session_task_get(struct session *session, struct tracee *tracee)
{
	struct session_task *task = tracee->user;

	if (task)
		return task;
	task = xcalloc(1, sizeof(*task));
	task->tracee = tracee;
	task->process = process_get(session, tracee->tgid);
	task->process->task_count++;
	view_live_init(&task->live, tracee->id.tid);
	path_task_init(&task->path, tracee->id.tid);
	task_comm(tracee->id.tid, task->comm);
	task->abi = session->abi;
	tracee->user = task;
	session_faults_task(session, task);
	return task;
}

void session_task_drop(struct session *session, struct session_task *task)
{
	struct session_process *process = task->process;

	session_faults_forget(session, task);
	session_long_calls_remove(session, task);
	if (--process->task_count == 0) {
		hash_remove(&session->processes, (uint64_t)process->tgid);
		unwind_space_destroy(process->space);
		process_maps_deinit(&process->maps);
		free(process);
	}
	task->tracee->user = NULL;
	call_deinit(&task->call);
	view_live_deinit(&task->live);
	path_task_deinit(&task->path);
	free(task);
}

void session_task_event(const struct session_task *task, struct event *event)
{
	event->task = task->tracee->id;
	event->pid = task->tracee->tgid;
	event->comm = task->comm;
	clock_gettime(CLOCK_REALTIME, &event->wall);
	clock_gettime(CLOCK_MONOTONIC, &event->monotonic);
}
