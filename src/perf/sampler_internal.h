// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_SAMPLER_INTERNAL_H
#define SRC_PERF_SAMPLER_INTERNAL_H

/** What the files of the sampler share and nobody else sees. */

#include <pthread.h>
#include <semaphore.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "perf/ring.h"
#include "perf/sampler.h"

struct mapped_ring {
	/** The event that owns the mapping, or -1. */
	int fd;
	void *map;
	size_t map_size;
	struct ring ring;
};

struct cpu {
	int number;
	struct mapped_ring now;
	/** The smaller one before: a record may still be under way into it. */
	struct mapped_ring before;
	/** The kernel refused a larger one. */
	bool stays;
	/** The fault seen last, to know one that two events report. */
	uint64_t last_id, last_ip, last_address;
	int last_tid;
	enum record_kind last_kind;
};

enum member_kind {
	MEMBER_MINOR = 1,
	MEMBER_MAJOR,
	MEMBER_ENTER,
	MEMBER_LEAVE,
	MEMBER_KINDS,
};

/** One event: of a task on a processor. */
struct member {
	int fd;
	size_t cpu;
	uint64_t id;
	enum member_kind kind;
};

/** Records on their way to the caller. */
struct batch {
	struct arena arena;
	ARRAY(struct record *) records;
	size_t bytes;
};

struct sampler {
	struct sampler_options options;
	struct record_layout layouts[MEMBER_KINDS];
	/** Of the tracepoints at begin and end of calls. */
	uint64_t enter_id, leave_id;
	struct cpu *cpus;
	size_t cpu_count;
	size_t page_size;

	/** For all below, which both threads use. */
	pthread_mutex_t lock;
	ARRAY(struct member) members;
	/** Event id to enum member_kind. */
	struct hash kinds;
	/** Being filled, and with the caller. */
	struct batch *filling, *taken;
	struct batch batches[2];
	struct sampler_counts counts;

	pthread_t thread;
	bool has_thread;
	/** The threads that call us, and the one above. */
	int caller, thread_id;
	sem_t started;
	/** An eventfd that ends the thread. */
	int stop_fd;
};

/* sampler_ring.c */

/** Maps a ring of @size bytes for @cpu; 0 or an errno value. */
int mapped_ring_open(
	struct sampler *sampler, const struct cpu *cpu, size_t size, struct mapped_ring *ret);
void mapped_ring_close(struct mapped_ring *ring);
/** Lets the events of @cpu write to a ring of twice the size, if that can be had. */
void sampler_grow(struct sampler *sampler, struct cpu *cpu);

/* sampler_thread.c */

/** A copy of @record into @batch. */
void batch_keep(struct batch *batch, const struct record *record);

/** Empties the rings into the batch that is being filled; with the lock held. */
void sampler_drain(struct sampler *sampler);
/** What the thread runs. */
void *sampler_run(void *sampler);

enum {
	/** A ring's bytes at first, without and with calls or bytes of stacks in it. */
	RING_FIRST = 512 * 1024,
	RING_FIRST_CALLS = 8 * 1024 * 1024,
	RING_FIRST_STACKS = 16 * 1024 * 1024,
	/** Bytes of a record but for its stack: fields, registers, a deep call chain. */
	RECORD_FIXED = 1024,
	RING_MOST = 32 * 1024 * 1024,
	/** Bytes that may wait in memory; more must wait in the rings. */
	BATCH_MOST = 256 * 1024 * 1024,
	/** From here on the tasks should wait. */
	BATCH_BEHIND = 16 * 1024 * 1024,
};

#endif
