// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/task.h"

#include "session/task.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "event/event.h"
#include "session/memory.h"
#include "session/state.h"

struct session_process *session_process_find(struct session *session, int tgid)
{
	return hash_get(&session->processes, (uint64_t)tgid);
}

static struct session_process *process_create(
	struct session *session, int tgid, struct session_memory *memory)
{
	struct session_process *process = xcalloc(1, sizeof(*process));

	process->tgid = tgid;
	process->memory = memory;
	process->threads_fd = -1;
	hash_set(&session->processes, (uint64_t)tgid, process);
	return process;
}

static void process_destroy(struct session *session, struct session_process *process)
{
	hash_remove(&session->processes, (uint64_t)process->tgid);
	session_memory_unref(process->memory);
	if (process->threads_fd >= 0)
		close(process->threads_fd);
	free(process);
}

static struct session_process *process_get(struct session *session, int tgid)
{
	struct session_process *process = session_process_find(session, tgid);

	return process ? process : process_create(session, tgid, session_memory_create());
}

void session_process_born(
	struct session *session, const struct session_process *parent, int tgid, bool shares_memory)
{
	struct session_process *process = session_process_find(session, tgid);

	// The child may be ahead of the news.
	if (process && (process->executed || (process->memory->space && !shares_memory)))
		return;
	if (!process)
		process = process_create(session, tgid, NULL);
	session_memory_unref(process->memory);
	process->memory = shares_memory ? session_memory_ref(parent->memory)
					: session_memory_fork(parent->memory);
}

void session_process_forget_unseen(struct session *session)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&session->processes, &position))) {
		struct session_process *process = entry->value;

		if (process->task_count)
			continue;
		process_destroy(session, process);
		position = 0;
	}
}

void session_process_exec(struct session_process *process)
{
	session_memory_unref(process->memory);
	process->memory = session_memory_create();
	process->executed = true;
}

struct session_task *session_task_create(
	struct session *session, struct session_source *source, struct task_id id, int tgid)
{
	struct session_task *task = xcalloc(1, sizeof(*task));

	task->id = id;
	task->tgid = tgid;
	task->source = source;
	task->process = process_get(session, tgid);
	task->process->task_count++;
	view_live_init(&task->live, id.tid, &session->uring_forms);
	task->view = &task->live.view;
	path_task_init(&task->path, id.tid);
	task_comm(id.tid, task->comm);
	task->abi = session->abi;
	task->call_number = -1;
	return task;
}

void session_task_drop(struct session *session, struct session_task *task)
{
	struct session_process *process = task->process;

	assert(!task->call.is_waiting);
	if (task->source->ops->gone)
		task->source->ops->gone(task->source, task);
	if (--process->task_count == 0)
		process_destroy(session, process);
	call_deinit(&task->decoded);
	view_live_deinit(&task->live);
	path_task_deinit(&task->path);
	hash_deinit(&task->tampered);
	free(task);
}

void session_task_event(
	const struct session_task *task, const struct session_source *source, struct event *event)
{
	event->task = task->id;
	event->pid = task->tgid;
	event->comm = task->comm;
	event->call_number = task->call_number;
	event->abi_now = task->abi;
	source->ops->time(source, &event->wall, &event->monotonic);
}

void session_task_rename(struct session *session, struct session_task *task, const char *name)
{
	char before[sizeof(task->comm)];

	memcpy(before, task->comm, sizeof(before));
	if (name)
		snprintf(task->comm, sizeof(task->comm), "%s", name);
	else if (task->source->ops->read_comm)
		task->source->ops->read_comm(task->source, task);
	if (strcmp(before, task->comm) != 0 && !session_hides(session, task))
		session_report(session, task, (struct event){.kind = EVENT_NAMED});
}

void session_report_child(
	struct session *session, struct session_task *parent, int tid, enum event_child kind)
{
	if (!session_hides(session, parent))
		session_report(session, parent,
			(struct event){.kind = EVENT_CHILD, .child = {.tid = tid, .kind = kind}});
}

void session_report(struct session *session, struct session_task *task, struct event event)
{
	session_task_event(task, task->source, &event);
	outputs_event(&session->outputs, &event);
}
