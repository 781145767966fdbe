// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/view_recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "proc/uring.h"

static struct view_recorded *recorded_of(struct view *view)
{
	return (struct view_recorded *)((char *)view - offsetof(struct view_recorded, view));
}

// The newest block with a byte at @address; *@until is how far it, and it alone, counts.
static const struct recorded_block *find_block(
	const struct view_recorded *recorded, taddr address, size_t *until)
{
	taddr end = UINT64_MAX;

	for (size_t i = recorded->blocks.count; i-- > 0;) {
		const struct recorded_block *block = &recorded->blocks.data[i];

		if (address >= block->address && address - block->address < block->size) {
			size_t left = block->size - (size_t)(address - block->address);

			*until = end - address < left ? (size_t)(end - address) : left;
			return block;
		}
		if (block->address > address && block->address < end)
			end = block->address;
	}
	return NULL;
}

static size_t recorded_read(struct view *view, taddr address, void *data, size_t size)
{
	const struct view_recorded *recorded = recorded_of(view);
	size_t done = 0;

	while (done < size) {
		size_t count;
		const struct recorded_block *block = find_block(recorded, address + done, &count);

		if (!block)
			break;
		if (count > size - done)
			count = size - done;
		memcpy((char *)data + done, block->data + (address + done - block->address), count);
		done += count;
	}
	return done;
}

static const struct recorded_fd *find_fd(struct view *view, int fd)
{
	const struct view_recorded *recorded = recorded_of(view);

	for (size_t i = recorded->fds.count; i-- > 0;) {
		if (recorded->fds.data[i].fd == fd)
			return &recorded->fds.data[i];
	}
	return NULL;
}

static const char *recorded_fd_path(struct view *view, struct arena *arena, int fd)
{
	const struct recorded_fd *found = find_fd(view, fd);

	return found ? arena_strndup(arena, found->path, strlen(found->path)) : NULL;
}

static bool recorded_fd_deleted(struct view *view, int fd)
{
	const struct recorded_fd *found = find_fd(view, fd);

	return found && found->deleted;
}

static bool recorded_fd_detail(
	struct view *view, int fd, const char *link, unsigned wanted, struct fd_detail *ret)
{
	const struct fd_detail *detail = &recorded_of(view)->detail;

	(void)link;
	if (fd != recorded_of(view)->detail_fd || !(detail->kind & wanted))
		return false;
	*ret = *detail;
	return true;
}

static const char *recorded_comm(struct view *view, struct arena *arena, int pid)
{
	return pid == recorded_of(view)->tid ? arena_strndup(arena, "recorded", 8) : NULL;
}

static const char *recorded_cwd(struct view *view, struct arena *arena)
{
	const char *cwd = recorded_of(view)->cwd;

	return cwd ? arena_strndup(arena, cwd, strlen(cwd)) : NULL;
}

static int recorded_tid(struct view *view)
{
	return recorded_of(view)->tid;
}

static bool recorded_uring(struct view *view, int fd, bool is_number, struct uring *ret)
{
	(void)view;
	(void)fd;
	(void)is_number;
	*ret = (struct uring){0};
	return false;
}

static int recorded_netlink_protocol(struct view *view, int fd)
{
	const struct view_recorded *recorded = recorded_of(view);

	return fd == recorded->netlink_fd ? recorded->netlink_protocol : -1;
}

static const struct view_ops recorded_ops = {
	.read = recorded_read,
	.fd_path = recorded_fd_path,
	.fd_deleted = recorded_fd_deleted,
	.fd_detail = recorded_fd_detail,
	.comm = recorded_comm,
	.cwd = recorded_cwd,
	.tid = recorded_tid,
	.uring = recorded_uring,
	.netlink_protocol = recorded_netlink_protocol,
};

void view_recorded_init(struct view_recorded *recorded)
{
	*recorded = (struct view_recorded){.view = {&recorded_ops},
		.tid = 1,
		.detail_fd = -1,
		.netlink_fd = -1,
		.netlink_protocol = -1};
}

void view_recorded_deinit(struct view_recorded *recorded)
{
	array_for_each (block, &recorded->blocks)
		free(block->data);
	array_for_each (fd, &recorded->fds)
		free(fd->path);
	array_deinit(&recorded->blocks);
	array_deinit(&recorded->fds);
	free(recorded->cwd);
	recorded->cwd = NULL;
}

void view_recorded_store(
	struct view_recorded *recorded, taddr address, const void *data, size_t size)
{
	// Exactly as large as its contents: sanitizers see every step over its end.
	struct recorded_block block = {address, xmalloc(size ? size : 1), size};

	if (size)
		memcpy(block.data, data, size);
	*array_add(&recorded->blocks) = block;
}

void view_recorded_open(struct view_recorded *recorded, int fd, const char *path, bool deleted)
{
	*array_add(&recorded->fds) = (struct recorded_fd){fd, xstrdup(path), deleted};
}

void view_recorded_chdir(struct view_recorded *recorded, const char *path)
{
	free(recorded->cwd);
	recorded->cwd = xstrdup(path);
}
