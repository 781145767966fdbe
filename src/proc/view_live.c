// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/view_live.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/fd_detail.h"
#include "proc/fdinfo.h"
#include "proc/task.h"
#include "proc/uring.h"

static struct view_live *live_of(struct view *view)
{
	return (struct view_live *)((char *)view - offsetof(struct view_live, view));
}

static size_t live_read(struct view *view, taddr address, void *data, size_t size)
{
	return mem_read(&live_of(view)->mem, address, data, size);
}

static const char *live_fd_path(struct view *view, struct arena *arena, int fd)
{
	return fdinfo_path(arena, live_of(view)->mem.tid, fd);
}

static bool live_fd_deleted(struct view *view, int fd)
{
	return fdinfo_deleted(live_of(view)->mem.tid, fd);
}

static bool live_fd_detail(
	struct view *view, int fd, const char *link, unsigned wanted, struct fd_detail *ret)
{
	return fd_detail_read(live_of(view)->mem.tid, fd, link, wanted, ret);
}

static bool counts_as_we(struct arena *arena, int tid)
{
	const char *theirs = task_link(arena, tid, "ns/pid");
	const char *ours = task_link(arena, getpid(), "ns/pid");

	return theirs && ours && strcmp(theirs, ours) == 0;
}

static const char *live_comm(struct view *view, struct arena *arena, int pid)
{
	char comm[TASK_COMM_SIZE];

	task_comm(pid, comm);
	if (!comm[0] || !counts_as_we(arena, live_of(view)->mem.tid))
		return NULL;
	return arena_strndup(arena, comm, strlen(comm));
}

static const char *live_cwd(struct view *view, struct arena *arena)
{
	return task_link(arena, live_of(view)->mem.tid, "cwd");
}

static int live_tid(struct view *view)
{
	return live_of(view)->mem.tid;
}

static bool live_uring(struct view *view, int fd, bool is_number, struct uring *ret)
{
	struct view_live *live = live_of(view);
	const struct uring_memory *memory;
	int tid = live->mem.tid, owner = tid;

	if (!is_number)
		return uring_read(tid, tid, fd, live->forms, ret);
	memory = uring_numbers_memory(&live->rings, (unsigned)fd);
	if (memory) {
		uring_read_memory(&live->mem, memory, UINT32_MAX, ret);
		return true;
	}
	fd = uring_numbers_fd(&live->rings, tid, (unsigned)fd, &owner);
	if (fd >= 0)
		return uring_read(tid, owner, fd, live->forms, ret);
	*ret = (struct uring){.hidden = true};
	return true;
}

static int live_netlink_protocol(struct view *view, int fd)
{
	struct view_live *live = live_of(view);

	return netlink_sockets_protocol(&live->netlinks, live->mem.tid, fd);
}

static const struct view_ops live_ops = {
	.read = live_read,
	.fd_path = live_fd_path,
	.fd_deleted = live_fd_deleted,
	.fd_detail = live_fd_detail,
	.comm = live_comm,
	.cwd = live_cwd,
	.tid = live_tid,
	.uring = live_uring,
	.netlink_protocol = live_netlink_protocol,
};

void view_live_init(struct view_live *live, int tid, const struct uring_forms *forms)
{
	*live = (struct view_live){.view = {.ops = &live_ops}, .forms = forms};
	mem_init(&live->mem, tid);
}

void view_live_deinit(struct view_live *live)
{
	mem_deinit(&live->mem);
	uring_numbers_clear(&live->rings);
}
