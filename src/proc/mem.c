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
	mem->expected_count = 0;
	mem->denied = false;
}

// Where process_vm_readv is not allowed (old kernels, seccomp in containers) a tracer
// may still read /proc/PID/mem.
static size_t read_proc_mem(struct mem *mem, taddr address, void *data, size_t size)
{
	char path[32];
	cleanup_close int fd = -1;
	size_t done = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", mem->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	mem->denied |= fd < 0 && (errno == EACCES || errno == EPERM);
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

static ssize_t read_once(struct mem *mem, taddr address, void *data, size_t size)
{
	struct iovec local = {.iov_base = data, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};

	mem->reads++;
	return process_vm_readv(mem->tid, &local, 1, &remote, 1, 0);
}

static size_t read_direct(struct mem *mem, taddr address, void *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read_once(mem, address + done, (char *)data + done, size - done);

		if (got > 0) {
			done += (size_t)got;
			continue;
		}
		// Everything may fail for the sake of one byte far behind: try the page alone.
		size_t page = MEM_PAGE - (address + done) % MEM_PAGE;

		if (got < 0 && (errno == ENOSYS || errno == EPERM))
			return done +
			       read_proc_mem(mem, address + done, (char *)data + done, size - done);
		if (page >= size - done)
			break;
		got = read_once(mem, address + done, (char *)data + done, page);
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

static size_t slot_of(taddr page)
{
	return page / MEM_PAGE % MEM_CACHED_PAGES;
}

static bool is_cached(const struct mem *mem, taddr page)
{
	return mem->tag[slot_of(page)] == page + 1;
}

// Pages to be asked for with one call.
struct request {
	struct iovec local[2 * MEM_CACHED_READ_MOST / MEM_PAGE + 2];
	struct iovec remote[2 * MEM_CACHED_READ_MOST / MEM_PAGE + 2];
	size_t count;
};

// Puts those of @count pages from @page on that are not cached on @request.
static void add_pages(struct mem *mem, struct request *request, taddr page, size_t count)
{
	for (size_t i = 0; i < count; i++, page += MEM_PAGE) {
		uint8_t *place = mem->pages + slot_of(page) * MEM_PAGE;
		bool is_taken = false;

		for (size_t j = 0; j < request->count; j++)
			is_taken |= request->local[j].iov_base == place;
		if (is_taken || is_cached(mem, page))
			continue;
		mem->tag[slot_of(page)] = 0;
		request->local[request->count] = (struct iovec){place, MEM_PAGE};
		request->remote[request->count++] =
			(struct iovec){(void *)(uintptr_t)page, MEM_PAGE};
	}
}

// Caches @count pages from @page on, and what is expected, as far as they can be read.
static void load(struct mem *mem, taddr page, size_t count)
{
	struct request request = {.count = 0};
	ssize_t got;

	if (!mem->pages)
		mem->pages = xmalloc((size_t)MEM_CACHED_PAGES * MEM_PAGE);
	add_pages(mem, &request, page, count);
	if (!request.count)
		return;
	add_pages(mem, &request, mem->expected, mem->expected_count);
	mem->expected_count = 0;
	mem->reads++;
	got = process_vm_readv(
		mem->tid, request.local, request.count, request.remote, request.count, 0);
	for (size_t i = 0; i < request.count && got >= MEM_PAGE; i++, got -= MEM_PAGE) {
		taddr loaded = (uintptr_t)request.remote[i].iov_base;

		mem->tag[slot_of(loaded)] = loaded + 1;
	}
}

// The cached page that holds @address, or NULL if it cannot be read whole.
static const uint8_t *page_of(struct mem *mem, taddr page)
{
	uint8_t *place = mem->pages + slot_of(page) * MEM_PAGE;

	if (is_cached(mem, page))
		return place;
	mem->tag[slot_of(page)] = 0;
	if (read_direct(mem, page, place, MEM_PAGE) != MEM_PAGE)
		return NULL;
	mem->tag[slot_of(page)] = page + 1;
	return place;
}

static size_t pages_between(taddr address, size_t size)
{
	return (address % MEM_PAGE + size + MEM_PAGE - 1) / MEM_PAGE;
}

void mem_expect(struct mem *mem, taddr address, size_t size)
{
	mem->expected = address & ~(taddr)(MEM_PAGE - 1);
	mem->expected_count = pages_between(address, size);
	if (size > UINT64_MAX - address || size > MEM_CACHED_READ_MOST)
		mem->expected_count = 0;
}

size_t mem_read(struct mem *mem, taddr address, void *data, size_t size)
{
	size_t done = 0;

	if (size > UINT64_MAX - address)
		size = (size_t)(UINT64_MAX - address);
	if (!size)
		return 0;
	if (size > MEM_CACHED_READ_MOST)
		return read_direct(mem, address, data, size);
	load(mem, address & ~(taddr)(MEM_PAGE - 1), pages_between(address, size));
	while (done < size) {
		taddr at = address + done;
		size_t piece = MEM_PAGE - at % MEM_PAGE;
		const uint8_t *page = page_of(mem, at & ~(taddr)(MEM_PAGE - 1));

		if (!page)
			return done;
		if (piece > size - done)
			piece = size - done;
		memcpy((char *)data + done, page + at % MEM_PAGE, piece);
		done += piece;
	}
	return done;
}

size_t mem_write(struct mem *mem, taddr address, const void *data, size_t size)
{
	char path[32];
	cleanup_close int fd = -1;
	ssize_t written;

	snprintf(path, sizeof(path), "/proc/%d/mem", mem->tid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	written = pwrite(fd, data, size, (off_t)address);
	mem_forget(mem);
	return written < 0 ? 0 : (size_t)written;
}
