// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"

void mem_init(struct mem *mem, int tid)
{
	*mem = (struct mem){.tid = tid};
}

void mem_deinit(struct mem *mem)
{
	free(mem->pages);
	mem->pages = NULL;
}

void mem_forget(struct mem *mem)
{
	memset(mem->tag, 0, sizeof(mem->tag));
}

// Where process_vm_readv is not allowed (old kernels, seccomp in containers) a tracer
// may still read /proc/PID/mem.
static size_t read_proc_mem(int tid, taddr address, void *data, size_t size)
{
	char path[32];
	cleanup_close int fd = -1;
	size_t done = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	while (done < size) {
		ssize_t got = pread(fd, (char *)data + done, size - done, (off_t)(address + done));

		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

static ssize_t read_once(int tid, taddr address, void *data, size_t size)
{
	struct iovec local = {.iov_base = data, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};

	return process_vm_readv(tid, &local, 1, &remote, 1, 0);
}

static size_t read_direct(struct mem *mem, taddr address, void *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read_once(mem->tid, address + done, (char *)data + done, size - done);

		if (got > 0) {
			done += (size_t)got;
			continue;
		}
		// Everything may fail for the sake of one byte far behind: try the page alone.
		size_t page = MEM_PAGE - (address + done) % MEM_PAGE;

		if (got < 0 && (errno == ENOSYS || errno == EPERM))
			return done + read_proc_mem(mem->tid, address + done, (char *)data + done,
					      size - done);
		if (page >= size - done)
			break;
		got = read_once(mem->tid, address + done, (char *)data + done, page);
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

// The cached page that holds @address, or NULL if it cannot be read whole.
static const uint8_t *page_of(struct mem *mem, taddr address)
{
	taddr base = address & ~(taddr)(MEM_PAGE - 1);
	size_t slot = base / MEM_PAGE % MEM_CACHED_PAGES;
	uint8_t *page;

	if (!mem->pages)
		mem->pages = xmalloc((size_t)MEM_CACHED_PAGES * MEM_PAGE);
	page = mem->pages + slot * MEM_PAGE;
	if (mem->tag[slot] == base + 1)
		return page;
	mem->tag[slot] = 0;
	if (read_direct(mem, base, page, MEM_PAGE) != MEM_PAGE)
		return NULL;
	mem->tag[slot] = base + 1;
	return page;
}

size_t mem_read(struct mem *mem, taddr address, void *data, size_t size)
{
	size_t done = 0;

	if (size > UINT64_MAX - address)
		size = (size_t)(UINT64_MAX - address);
	if (size > MEM_PAGE)
		return read_direct(mem, address, data, size);
	while (done < size) {
		taddr at = address + done;
		size_t piece = MEM_PAGE - at % MEM_PAGE;
		const uint8_t *page = page_of(mem, at);

		if (!page)
			return done;
		if (piece > size - done)
			piece = size - done;
		memcpy((char *)data + done, page + at % MEM_PAGE, piece);
		done += piece;
	}
	return done;
}
