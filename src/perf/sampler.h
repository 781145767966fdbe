// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_SAMPLER_H
#define SRC_PERF_SAMPLER_H

/**
 * The page faults and system calls of tasks, as they happen: an event per task, processor and
 * kind, all of a processor in one ring. They do not stop a task, so nothing
 * may wait here: a thread of its own empties the rings into memory, shrinking each
 * stack to the bytes that are there, and doubles a ring that fills. What is lost
 * nevertheless is counted. It knows nothing of names, maps or ptrace.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/event_attr.h"
#include "perf/record.h"

struct error;
struct sampler;

struct sampler_options {
	struct event_options event;
	/** Kinds of faults. */
	bool minor, major;
	/** System calls, and what becomes of the tasks. */
	bool calls;
	/** What calls must fulfil, a filter of tracepoints (Documentation/trace/events.rst). */
	const char *call_filter;
	/** Most bytes a processor's ring may grow to; 0 means 32 MiB. */
	size_t ring_most;
	/** Called from another thread when there is something to take. */
	void (*wake)(void *context);
	void *context;
};

/**
 * @options is copied. Without the right to see what the kernel does for the tasks it falls
 * back to faults of user code alone: sampler_is_user_only(). An error says why nothing can
 * be seen.
 */
struct error *sampler_create(const struct sampler_options *options, struct sampler **ret);
/** NULL is allowed. */
void sampler_destroy(struct sampler *sampler);
/** Faults taken inside the kernel are not seen, and there are no kernel addresses. */
bool sampler_is_user_only(const struct sampler *sampler);

/**
 * Watches all tasks there are, but not the calls of this thread and of the sampler's own; in
 * place of sampler_add(), without inherit. After sampler_start().
 */
struct error *sampler_add_everything(struct sampler *sampler);
/**
 * Watches task @tid from now on, or @on_exec from when it executes a program. With inherit
 * also what it creates from then on; a task that is watched twice by this is reported once.
 */
struct error *sampler_add(struct sampler *sampler, int tid, bool on_exec);
/** Starts the thread, which gets this one's signal mask. Call it after the last fork. */
struct error *sampler_start(struct sampler *sampler);

/** Records nothing any more: nobody waits until it is taken. */
void sampler_stop(struct sampler *sampler);

/**
 * All that was recorded up to now and not yet taken, ordered by time, also from one call to
 * the next. Valid until the next call. A record's kind of fault: sampler_is_major().
 */
struct record *const *sampler_take(struct sampler *sampler, size_t *count_ret);
bool sampler_is_major(const struct sampler *sampler, const struct record *record);
/** How many faults have room in the rings before they must be emptied. */
size_t sampler_room(const struct sampler *sampler);
/** Much is waiting to be taken: tasks should not go on before it is. */
bool sampler_is_behind(struct sampler *sampler);

struct sampler_counts {
	/** Faults, and begins and ends of calls, taken. */
	uint64_t taken;
	/** Records that were reported as lost by records that were taken. */
	uint64_t lost;
	/** Records that the kernel says it lost in all, where it can say so (Linux 6.0). */
	uint64_t kernel_lost;
	/** Events that the kernel counted in all, including those of tasks that are gone. */
	uint64_t kernel_count;
};

struct sampler_counts sampler_counts(struct sampler *sampler);

#endif
