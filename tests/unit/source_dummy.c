// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "source_dummy.h"

#include <stdio.h>
#include <string.h>

#include "session/on_lifecycle.h"
#include "session/on_syscall.h"
#include "session/task.h"
#include "trace/stop.h"

static void dummy_time(const struct session_source *source, struct timespec *wall_ret,
	struct timespec *monotonic_ret)
{
	const struct source_dummy *dummy = (const struct source_dummy *)source;

	if (wall_ret)
		*wall_ret = dummy->time;
	*monotonic_ret = dummy->time;
}

static void dummy_gone(struct session_source *source, struct session_task *task)
{
	(void)task;
	((struct source_dummy *)source)->gone++;
}

// Nothing else is known, and each member that is NULL says so.
static const struct session_source_ops dummy_ops = {
	.time = dummy_time,
	.gone = dummy_gone,
};

void source_dummy_init(struct source_dummy *source, struct session *session)
{
	*source = (struct source_dummy){.base = {.ops = &dummy_ops}, .session = session};
	view_recorded_init(&source->memory);
}

void source_dummy_deinit(struct source_dummy *source)
{
	view_recorded_deinit(&source->memory);
}

struct session_task *source_dummy_task(struct source_dummy *source, int tid, const char *comm)
{
	struct session_task *task = session_task_create(
		source->session, &source->base, (struct task_id){.tid = tid}, tid);

	task->view = &source->memory.view;
	snprintf(task->comm, sizeof(task->comm), "%s", comm);
	return task;
}

void source_dummy_enter(struct source_dummy *source, struct session_task *task, uint64_t number,
	const uint64_t args[6])
{
	struct stop stop = {.kind = STOP_SYSCALL_ENTRY};

	stop.syscall.abi = ABI_X86_64;
	stop.syscall.number = number;
	memcpy(stop.syscall.args, args, sizeof(stop.syscall.args));
	session_on_entry(source->session, task, &stop);
}

void source_dummy_leave(struct source_dummy *source, struct session_task *task, int64_t result)
{
	struct stop stop = {.kind = STOP_SYSCALL_EXIT};

	stop.syscall.abi = ABI_X86_64;
	stop.syscall.retval = result;
	stop.syscall.is_error = result < 0;
	session_on_exit(source->session, task, &stop);
}

void source_dummy_exit(struct source_dummy *source, struct session_task *task, int status)
{
	const struct stop stop = {.kind = STOP_EXITED, .status = status};

	session_on_lifecycle(source->session, task, &stop);
}
