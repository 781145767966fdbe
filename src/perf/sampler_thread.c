// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "perf/sampler_internal.h"

enum {
	/** Milliseconds after which a few faults that wake nobody are looked for. */
	LOOK_EVERY = 50,
	/**
	 * The same in microseconds where calls are watched, whose memory is read afterwards:
	 * while records come, which is until none has come for BUSY_LOOKS, and else.
	 */
	LOOK_EVERY_BUSY = 200,
	LOOK_EVERY_CALM = 5000,
	BUSY_LOOKS = 500,
	/** Milliseconds to wait while nobody takes what we have. */
	STAND_BACK = 1,
	/** A ring found full by one part in this many is too small. */
	GROW_PART = 2,
};

// An event inherited and one of its own: both report, one after the other, into the same ring.
static bool is_reported_twice(struct cpu *cpu, const struct record *record)
{
	uint64_t ip = record->ip, address = record->address;
	bool is_same;

	if (record->kind != RECORD_FAULT) {
		ip = record->number;
		address = record->args[0];
	}
	is_same = cpu->last_tid == record->tid && cpu->last_kind == record->kind &&
		  cpu->last_ip == ip && cpu->last_address == address && cpu->last_id != record->id;
	cpu->last_tid = record->tid;
	cpu->last_kind = record->kind;
	cpu->last_ip = ip;
	cpu->last_address = address;
	cpu->last_id = record->id;
	return is_same;
}

void batch_keep(struct batch *batch, const struct record *record)
{
	batch->bytes +=
		sizeof(*record) + record->chain_count * sizeof(*record->chain) + record->stack_size;
	*array_add(&batch->records) = record_copy(record, &batch->arena);
}

static void handle(struct sampler *sampler, struct cpu *cpu, const struct record *record)
{
	switch (record->kind) {
	case RECORD_FAULT:
	case RECORD_ENTER:
	case RECORD_LEAVE:
		if (is_reported_twice(cpu, record))
			return;
		sampler->counts.taken++;
		break;
	case RECORD_LOST:
		sampler->counts.lost += record->lost;
		break;
	case RECORD_EXEC:
	case RECORD_COMM:
	case RECORD_MAP:
	case RECORD_BORN:
	case RECORD_GONE:
	case RECORD_RUNS:
	case RECORD_PREEMPTED:
	case RECORD_SLEEPS:
		break;
	case RECORD_OTHER:
		return;
	}
	batch_keep(sampler->filling, record);
}

// NULL for what is no sample of ours.
static const struct record_layout *layout_of(
	const struct sampler *sampler, const struct perf_event_header *header)
{
	uint64_t id = record_event(header);
	uintptr_t kind = id ? (uintptr_t)hash_get(&sampler->kinds, id) : 0;

	return kind ? &sampler->layouts[kind] : NULL;
}

static void drain_ring(struct sampler *sampler, struct cpu *cpu, struct ring *ring)
{
	const struct perf_event_header *header;

	while (sampler->filling->bytes < BATCH_MOST && (header = ring_peek(ring))) {
		struct record record;

		if (record_parse(header, layout_of(sampler, header), &record))
			handle(sampler, cpu, &record);
		ring_skip(ring, header);
	}
}

static void drain_cpu(struct sampler *sampler, struct cpu *cpu)
{
	size_t fill = ring_fill(&cpu->now.ring);

	if (cpu->before.map && ring_fill(&cpu->before.ring))
		drain_ring(sampler, cpu, &cpu->before.ring);
	if (fill)
		drain_ring(sampler, cpu, &cpu->now.ring);
	// To map a ring takes longer than to fill one: not while one is full.
	if (fill > cpu->now.ring.size / GROW_PART)
		sampler_grow(sampler, cpu);
}

void sampler_drain(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->cpu_count; i++)
		drain_cpu(sampler, &sampler->cpus[i]);
}

// What records wait for must not depend on where and how urgently the rest of us runs.
static void be_urgent(void)
{
	const struct sched_param normal = {0}, first = {.sched_priority = 1};
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	// It sleeps but for the time to copy what came; a nice value alone lost every tenth
	// fault of a read(2) into fresh memory.
	if (sched_setscheduler(0, SCHED_FIFO, &first) == 0)
		return;
	sched_setscheduler(0, SCHED_OTHER, &normal);
	setpriority(PRIO_PROCESS, 0, -20);
}

static struct pollfd *list_descriptors(struct sampler *sampler)
{
	struct pollfd *list = xcalloc(sampler->cpu_count + 1, sizeof(*list));

	for (size_t i = 0; i < sampler->cpu_count; i++)
		list[i] = (struct pollfd){.fd = sampler->cpus[i].now.fd, .events = POLLIN};
	list[sampler->cpu_count] = (struct pollfd){.fd = sampler->stop_fd, .events = POLLIN};
	return list;
}

static struct timespec patience(const struct sampler *sampler, unsigned idle)
{
	long microseconds = !sampler->options.calls ? LOOK_EVERY * 1000L
			    : idle < BUSY_LOOKS	    ? LOOK_EVERY_BUSY
						    : LOOK_EVERY_CALM;

	return (struct timespec){.tv_nsec = microseconds * 1000};
}

// Waits for records; false if it is time to end. @idle: how often there were none.
static bool wait_for_records(struct sampler *sampler, struct pollfd *list, unsigned idle)
{
	struct timespec timeout = patience(sampler, idle);

	pthread_mutex_lock(&sampler->lock);
	for (size_t i = 0; i < sampler->cpu_count; i++)
		list[i].fd = sampler->cpus[i].now.fd;
	pthread_mutex_unlock(&sampler->lock);
	ppoll(list, sampler->cpu_count + 1, &timeout, NULL);
	return !(list[sampler->cpu_count].revents & POLLIN);
}

void *sampler_run(void *context)
{
	static const struct timespec stand_back = {.tv_nsec = STAND_BACK * 1000 * 1000};
	struct sampler *sampler = context;
	struct pollfd *list = list_descriptors(sampler);
	unsigned idle = 0;

	sampler->thread_id = gettid();
	sem_post(&sampler->started);
	be_urgent();
	while (wait_for_records(sampler, list, idle)) {
		bool some, full;

		pthread_mutex_lock(&sampler->lock);
		sampler_drain(sampler);
		some = sampler->filling->records.count;
		full = sampler->filling->bytes >= BATCH_MOST;
		pthread_mutex_unlock(&sampler->lock);
		idle = some ? 0 : idle + 1;
		if (some)
			sampler->options.wake(sampler->options.context);
		if (full)
			nanosleep(&stand_back, NULL);
	}
	free(list);
	return NULL;
}
