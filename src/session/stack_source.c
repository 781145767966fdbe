// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/stack_source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/cleanup.h"
#include "base/regular_file.h"
#include "proc/map_query.h"
#include "proc/mem.h"
#include "proc/task.h"
#include "proc/task_status.h"
#include "trace/trace.h"
#include "unwind/unwind.h"

size_t stack_source_read(void *context, taddr address, void *data, size_t size)
{
	struct stack_source *source = context;

	return mem_read(source->mem, address, data, size);
}

char *stack_source_maps(void *context, size_t *length_ret)
{
	struct stack_source *source = context;

	char *text = task_file(source->mem->tid, "maps", length_ret);

	// Of a process that is on its way out nothing is left, but what was known still helps.
	if (text && !*length_ret) {
		free(text);
		return NULL;
	}
	return text;
}

// Far cheaper than to read all maps. Older kernels do not know it.
static bool ask_map(struct stack_source *source, taddr address, struct map_answer *ret)
{
	if (!source->maps_fd) {
		errno = EBADF;
		return false;
	}
	if (*source->maps_fd < 0)
		*source->maps_fd = map_query_open(source->mem->tid);
	return map_query(*source->maps_fd, address, 0, NULL, 0, ret);
}

static bool stack_source_is_mapped(void *context, const struct unwind_map *map)
{
	struct map_answer now;

	return ask_map(context, map->start, &now) && now.start == map->start &&
	       now.end == map->end && now.offset == map->offset && now.inode == map->inode &&
	       makedev(now.major, now.minor) == map->device;
}

static bool stack_source_is_free(void *context, taddr address)
{
	struct map_answer now;

	return !ask_map(context, address, &now) && errno == ENOENT;
}

// The program itself, also if it has no path (memfd_create) or a path that nobody can open.
static bool is_executable(struct stack_source *source, const struct unwind_map *map)
{
	const char *link = task_link(source->arena, source->mem->tid, "exe");

	return link && strcmp(link, map->name) == 0;
}

// The task's own spelling of @name, as the kernel tells it from our root or that of another
// mount namespace.
static const char *inside_root(struct stack_source *source, const char *name)
{
	const char *root = task_link(source->arena, source->mem->tid, "root");
	size_t length = root ? strlen(root) : 0;

	return length > 1 && strncmp(name, root, length) == 0 && name[length] == '/' ? name + length
										     : name;
}

// Links of a container lead to what they say there.
static int open_inside(int tid, const char *path)
{
	cleanup_free char *link = xasprintf("/proc/%d/root", tid);
	cleanup_close int root = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? -1 : regular_file_open_in(root, path);
}

bool stack_source_open(
	void *context, const struct unwind_map *map, unsigned attempt, struct unwind_candidate *ret)
{
	struct stack_source *source = context;
	const char *inside = NULL;
	int tid = source->mem->tid;

	if (!map->path)
		return false;
	if (attempt >= 2 && !map->is_deleted)
		attempt++;
	if (attempt >= 3 && !is_executable(source, map))
		attempt++;
	switch (attempt) {
	case 0:
		ret->tried = xasprintf("/proc/%d/map_files/%llx-%llx", tid,
			(unsigned long long)map->start, (unsigned long long)map->end);
		ret->is_mapped_file = true;
		break;
	case 1:
		inside = inside_root(source, map->path);
		ret->tried = xasprintf("/proc/%d/root%s", tid, inside);
		break;
	case 2:
		// The file may really be called so.
		inside = inside_root(source, map->name);
		ret->tried = xasprintf("/proc/%d/root%s", tid, inside);
		break;
	case 3:
		ret->tried = xasprintf("/proc/%d/exe", tid);
		break;
	case 4:
		ret->tried = xstrdup(map->path);
		break;
	default:
		return false;
	}
	ret->fd = inside ? open_inside(tid, inside) : regular_file_open(ret->tried);
	ret->error = errno;
	// proc_map_files_get_link() of fs/proc/base.c
	if (attempt == 0 && ret->fd < 0 && errno == EPERM)
		ret->needs = "needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE";
	else if (attempt != 4 && ret->fd < 0 && errno == EACCES)
		ret->needs = "needs CAP_SYS_PTRACE or to be the process's user";
	return true;
}

static bool same_link(struct arena *arena, int tid, const char *name)
{
	const char *theirs = task_link(arena, tid, name);
	const char *ours = task_link(arena, getpid(), name);

	return theirs && ours && strcmp(theirs, ours) == 0;
}

const char *stack_source_root(void *context)
{
	struct stack_source *source = context;
	int tid = source->mem->tid;

	if (same_link(source->arena, tid, "root") && same_link(source->arena, tid, "ns/mnt"))
		return NULL;
	return arena_printf(source->arena, "/proc/%d/root", tid);
}

// The process id that the task's process has in the innermost namespace it is in.
static int own_pid(int tid)
{
	struct task_status status;

	return task_status_read(tid, &status) ? status.inner_tgid : 0;
}

// Anybody can put a file into /tmp: only the process's owner and root may name its code.
static bool is_trusted(int tid, int fd)
{
	cleanup_free char *path = xasprintf("/proc/%d", tid);
	struct stat file, owner;

	return !fstat(fd, &file) && S_ISREG(file.st_mode) &&
	       (!file.st_uid || (!stat(path, &owner) && file.st_uid == owner.st_uid));
}

int stack_source_perf_map(void *context)
{
	struct stack_source *source = context;
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int tid = source->mem->tid;
	cleanup_free char *root_path = xasprintf("/proc/%d/root", tid);
	cleanup_free char *path = xasprintf("/tmp/perf-%d.map", own_pid(tid));
	cleanup_close int root = open(root_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (root < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	if (fd >= 0 && !is_trusted(tid, fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool stack_source_registers(void *context, struct frame_regs *ret)
{
	struct stack_source *source = context;
	_Alignas(16) unsigned char prstatus[512];
	size_t size;

	if (!source->tracee)
		return false;
	size = trace_registers(source->trace, source->tracee, prstatus, sizeof(prstatus));
	return frame_regs_from_prstatus(ret, prstatus, size);
}

bool stack_source_start(void *context, struct unwind_start *ret)
{
	struct stack_source *source = context;

	return task_start(source->mem->tid, &ret->entry, &ret->interpreter);
}

const struct unwind_source_ops stack_source_ops = {
	.read = stack_source_read,
	.maps = stack_source_maps,
	.open_file = stack_source_open,
	.root = stack_source_root,
	.open_perf_map = stack_source_perf_map,
	.registers = stack_source_registers,
	.start = stack_source_start,
	.is_mapped = stack_source_is_mapped,
	.is_free = stack_source_is_free,
};
