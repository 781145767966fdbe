// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_EVENT_ATTR_H
#define SRC_PERF_EVENT_ATTR_H

/**
 * What we ask of perf_event_open(2), and what to tell the user where the kernel
 * refuses.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perf/record.h"

struct error;
struct perf_event_attr;

struct event_options {
	/** Children and threads created from then on are covered too. */
	bool inherit;
	/** Only faults of user code: all that is allowed without rights. */
	bool user_only;
	/** Kernel addresses of the call chain, those of user code by frame pointer. */
	bool kernel_chain, user_chain;
	/** Bytes of the user's stack with each fault and call, a multiple of 8; 0 for none. */
	unsigned stack_size;
	/** The registers of user code that come with faults: bits of sample_regs_user. */
	uint64_t regs_mask;
	/** Calls come with them, too. */
	bool call_regs;
	/** Records tell what is mapped. */
	bool maps;
	/** Records tell when tasks get processors and lose them. */
	bool switches;
};

/** PERF_COUNT_SW_PAGE_FAULTS_MIN or _MAJ as @config; disabled. */
void event_attr_fault(
	struct perf_event_attr *attr, const struct event_options *options, uint64_t config);
/** An event that never happens, to own a ring; wakes whoever polls at @watermark bytes. */
void event_attr_ring(struct perf_event_attr *attr, size_t watermark);
/** What records of event_attr_fault() look like. */
struct record_layout event_attr_layout(const struct event_options *options);
/** The tracepoint @id of raw_syscalls, which is RECORD_ENTER or RECORD_LEAVE; disabled. */
void event_attr_call(struct perf_event_attr *attr, const struct event_options *options,
	enum record_kind kind, uint64_t id);
struct record_layout event_attr_call_layout(
	const struct event_options *options, enum record_kind kind);

/** perf_event_open(2), closed on exec: a descriptor or -1 with errno. */
int event_open(const struct perf_event_attr *attr, int tid, int cpu);
/** Why opening failed with @code, and what allows it. */
struct error *event_refusal(int code);
/** The level of kernel.perf_event_paranoid; a large one if it cannot be read. */
int event_paranoid(void);

#endif
