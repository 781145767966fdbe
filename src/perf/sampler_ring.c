// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf/sampler_internal.h"

enum {
	/** Whoever waits is woken when a ring is full by one part in this many. */
	WATERMARK_PART = 8,
};

int mapped_ring_open(
	struct sampler *sampler, const struct cpu *cpu, size_t size, struct mapped_ring *ret)
{
	struct perf_event_attr attr;
	struct mapped_ring ring = {.map_size = sampler->page_size + size};
	int code;

	event_attr_ring(&attr, size / WATERMARK_PART);
	ring.fd = event_open(&attr, 0, cpu->number);
	if (ring.fd < 0)
		return errno;
	ring.map = mmap(NULL, ring.map_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
	if (ring.map == MAP_FAILED) {
		code = errno;
		close(ring.fd);
		return code;
	}
	ring_init(&ring.ring, ring.map, sampler->page_size, size);
	*ret = ring;
	return 0;
}

void mapped_ring_close(struct mapped_ring *ring)
{
	if (!ring->map)
		return;
	ring_deinit(&ring->ring);
	munmap(ring->map, ring->map_size);
	close(ring->fd);
	*ring = (struct mapped_ring){.fd = -1};
}

void sampler_grow(struct sampler *sampler, struct cpu *cpu)
{
	size_t size = 2 * cpu->now.ring.size;
	struct mapped_ring next;

	if (cpu->stays || size > sampler->options.ring_most)
		return;
	// Without CAP_IPC_LOCK kernel.perf_event_mlock_kb is the limit.
	if (mapped_ring_open(sampler, cpu, size, &next) != 0) {
		cpu->stays = true;
		return;
	}
	array_for_each (member, &sampler->members) {
		if (&sampler->cpus[member->cpu] == cpu)
			ioctl(member->fd, PERF_EVENT_IOC_SET_OUTPUT, next.fd);
	}
	mapped_ring_close(&cpu->before);
	cpu->before = cpu->now;
	cpu->now = next;
}
