// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "live_source.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "unwind/maps.h"

static size_t live_read(void *context, taddr address, void *data, size_t size)
{
	struct live_source *live = context;
	struct iovec local = {data, size};
	struct iovec remote = {(void *)(uintptr_t)address, size};
	ssize_t got = process_vm_readv(live->pid, &local, 1, &remote, 1, 0);

	live->reads++;
	return got < 0 ? 0 : (size_t)got;
}

static char *live_maps(void *context, size_t *length_ret)
{
	struct live_source *live = context;
	cleanup_free char *path = xasprintf("/proc/%d/maps", live->pid);
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct buf text = {0};

	live->maps_reads++;
	for (;;) {
		char *at = buf_reserve(&text, 64 * 1024);
		ssize_t got = read(fd, at, 64 * 1024);

		if (got <= 0)
			break;
		text.length += (size_t)got;
	}
	*length_ret = text.length;
	return text.data;
}

static bool live_open_file(
	void *context, const struct unwind_map *map, unsigned attempt, struct unwind_candidate *ret)
{
	struct live_source *live = context;

	if (live->candidates) {
		if (!live->candidates[attempt])
			return false;
		ret->tried = xstrdup(live->candidates[attempt]);
	} else if (attempt == 0) {
		ret->tried = xasprintf("/proc/%d/map_files/%lx-%lx", live->pid,
			(unsigned long)map->start, (unsigned long)map->end);
		ret->is_mapped_file = true;
	} else if (attempt == 1 && map->path) {
		ret->tried = xasprintf("/proc/%d/root%s", live->pid, map->path);
	} else {
		return false;
	}
	live->opened++;
	ret->fd = open(ret->tried, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ret->error = errno;
	return true;
}

static const char *live_root(void *context)
{
	const struct live_source *live = context;

	return live->root;
}

static bool live_registers(void *context, struct frame_regs *ret)
{
	struct live_source *live = context;
	enum frame_address address;

	live->registers++;
	return live_regs(live->pid, ret, &address);
}

/** Words of the auxiliary vector, which is as wide as the program. */
static bool live_start(void *context, struct unwind_start *ret)
{
	struct live_source *live = context;
	cleanup_free char *path = xasprintf("/proc/%d/auxv", live->pid);
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t words[512] = {0};
	ssize_t size = read(fd, words, sizeof(words));
	// The program headers have entries of 56 bytes in a 64-bit program.
	size_t wide = 1;

	for (size_t i = 0; size > 0 && i < (size_t)size / 4; i += 4)
		wide = words[i] == AT_PHENT && !words[i + 1] && words[i + 2] == 56 ? 2 : wide;
	for (size_t i = 0; size > 0 && i < (size_t)size / 4; i += 2 * wide) {
		taddr value = words[i + wide];

		if (wide == 2)
			value |= (taddr)words[i + 3] << 32;
		if (words[i] == AT_ENTRY)
			ret->entry = value;
		if (words[i] == AT_BASE)
			ret->interpreter = value;
	}
	return ret->entry;
}

const struct unwind_source_ops live_source_ops = {
	.read = live_read,
	.maps = live_maps,
	.open_file = live_open_file,
	.root = live_root,
	.registers = live_registers,
	.start = live_start,
};

bool live_stop(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, pid, 0, 0) || ptrace(PTRACE_INTERRUPT, pid, 0, 0))
		return false;
	return waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status);
}

void live_detach(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, 0, 0);
}

bool live_regs(pid_t pid, struct frame_regs *regs, enum frame_address *address)
{
	union {
		struct user_regs_struct x86_64;
		int32_t i386[17];
	} raw;
	struct iovec vector = {&raw, sizeof(raw)};
	bool is_call;

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &vector))
		return false;
	if (!frame_regs_from_prstatus(regs, &raw, vector.iov_len))
		return false;
	is_call = regs->arch == UNWIND_ARCH_I386 ? raw.i386[11] >= 0
						 : (int64_t)raw.x86_64.orig_rax >= 0;
	*address = is_call ? FRAME_ADDRESS_SYSCALL : FRAME_ADDRESS_EXACT;
	return true;
}
