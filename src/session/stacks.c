// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "schema/syscall.h"
#include "session/internal.h"
#include "trace/trace.h"
#include "trace/tracee.h"
#include "unwind/maps.h"

/** What the unwinder may ask of the stopped task while it walks. */
struct stack_source {
	struct mem *mem;
	struct arena *arena;
};

static size_t source_read(void *context, taddr address, void *data, size_t size)
{
	struct stack_source *source = context;

	return mem_read(source->mem, address, data, size);
}

static char *source_maps(void *context, size_t *length_ret)
{
	struct stack_source *source = context;

	return task_file(source->mem->tid, "maps", length_ret);
}

static int source_open(
	void *context, const struct unwind_map *map, unsigned attempt, char **tried_ret)
{
	struct stack_source *source = context;
	char *path;
	int fd;

	if (!map->path)
		attempt = UINT_MAX;
	switch (attempt) {
	case 0:
		path = xasprintf("/proc/%d/map_files/%llx-%llx", source->mem->tid,
			(unsigned long long)map->start, (unsigned long long)map->end);
		break;
	case 1:
		path = xasprintf("/proc/%d/root%s", source->mem->tid, map->path);
		break;
	case 2:
		path = xstrdup(map->path);
		break;
	default:
		*tried_ret = NULL;
		return -2;
	}
	// O_NONBLOCK: a FIFO under that name must not hold us.
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	*tried_ret = path;
	return fd;
}

static bool same_link(struct arena *arena, int tid, const char *name)
{
	const char *theirs = task_link(arena, tid, name);
	const char *ours = task_link(arena, getpid(), name);

	return theirs && ours && strcmp(theirs, ours) == 0;
}

static const char *source_root(void *context)
{
	struct stack_source *source = context;
	int tid = source->mem->tid;

	if (same_link(source->arena, tid, "root") && same_link(source->arena, tid, "ns/mnt"))
		return NULL;
	return arena_printf(source->arena, "/proc/%d/root", tid);
}

static const struct unwind_source_ops source_ops = {
	.read = source_read,
	.maps = source_maps,
	.open_file = source_open,
	.root = source_root,
};

bool session_stack_take(struct session *session, struct session_task *task,
	enum frame_address address, struct arena *arena, struct unwind_stack *ret)
{
	struct session_process *process = task->process;
	struct stack_source context = {.mem = &task->live.mem, .arena = arena};
	struct unwind_source source = {.ops = &source_ops, .context = &context};
	struct frame_regs regs;
	_Alignas(16) unsigned char prstatus[512];
	size_t size;

	if (!session->unwind)
		return false;
	// The execve that starts the command is made by our own child.
	if (task->tracee->tgid == session->command_pid && !session->command_runs)
		return false;
	size = trace_registers(session->trace, task->tracee, prstatus, sizeof(prstatus));
	if (!frame_regs_from_prstatus(&regs, prstatus, size)) {
		*ret = (struct unwind_stack){.end = FRAME_END_NO_STATE};
		return true;
	}
	if (!process->space)
		process->space = unwind_space_create(session->unwind, regs.arch);
	unwind_walk(process->space, &source, &regs, address, arena, ret);
	return true;
}

void session_stack_maps_changed(struct session_task *task)
{
	// Only executable memory holds return addresses and unwind rules.
	if ((task->facts & FACT_PROTECTS_MAPS) && !(task->call.regs[2] & PROT_EXEC))
		return;
	if (task->process->space)
		unwind_space_maps_changed(task->process->space);
}

void session_stack_forked(struct session *session, struct session_task *parent, int child)
{
	struct session_process *process = session_process_find(session, child);

	if (process && !process->space && process != parent->process && parent->process->space)
		process->space = unwind_space_fork(parent->process->space);
}
