// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_RECORD_H
#define SRC_PERF_RECORD_H

/**
 * A perf record as a struct: page faults, system calls, what becomes of tasks, lost
 * records. The layout is that of perf_event_open(2), "MMAP layout", for the events that
 * event_attr asks for. Pure: bytes in, pointers into the same bytes out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

struct arena;
struct perf_event_header;

enum record_kind {
	/** A page fault. */
	RECORD_FAULT,
	/** @lost records had no room in the ring. */
	RECORD_LOST,
	/** The task executed a program, @name: from here on its memory is another. */
	RECORD_EXEC,
	/** A system call begins: @number, @args; and ends: @number, @args[0] is the result. */
	RECORD_ENTER,
	RECORD_LEAVE,
	/** The task is called @name from now on. */
	RECORD_COMM,
	/** The task's process mapped @map. */
	RECORD_MAP,
	/** The task was created by thread @parent of process @parent_pid; and is gone. */
	RECORD_BORN,
	RECORD_GONE,
	/** The task gets a processor; and has to give it back, while it still wants it or not. */
	RECORD_RUNS,
	RECORD_PREEMPTED,
	RECORD_SLEEPS,
	/** Nothing that we asked for. */
	RECORD_OTHER,
};

enum record_regs {
	/** Those that were asked for, in the order of their bits. */
	RECORD_REGS_ALL,
	/** One of them, to learn the size of the task's words. */
	RECORD_REGS_WORD,
	RECORD_REGS_NONE,
};

/** What a record says beyond its header; must agree with the event it comes from. */
struct record_layout {
	/** RECORD_FAULT, RECORD_ENTER or RECORD_LEAVE. */
	enum record_kind kind;
	bool has_chain;
	enum record_regs regs;
	/** With RECORD_REGS_ALL: how many. */
	unsigned reg_count;
	bool has_stack;
};

struct record_map {
	taddr start;
	uint64_t length, offset;
	uint32_t device_major, device_minor;
	uint64_t inode;
	/** PROT_*, and MAP_* flags of mmap(2). */
	uint32_t protection, flags;
};

struct record {
	enum record_kind kind;
	/** CLOCK_MONOTONIC, nanoseconds. */
	uint64_t time;
	/** Process and thread; of a task outside our pid namespace 0. */
	int pid, tid;
	/** The event it belongs to: which kind of fault, and whose. */
	uint64_t id;
	uint64_t lost;
	uint64_t number, args[6];
	int parent_pid, parent;
	/** NUL-terminated; of a mapping: its path, or something in [ ] or behind //. */
	const char *name;
	struct record_map map;
	/** Taken by code of the kernel, on behalf of the task. */
	bool in_kernel;
	/** Of the faulting instruction. */
	taddr ip;
	/** What could not be accessed. */
	taddr address;
	/** Addresses of callers with PERF_CONTEXT_* between; NULL without. */
	const uint64_t *chain;
	size_t chain_count;
	/** The size of the task's words, 4 or 8; 0 for none. */
	unsigned word_size;
	/** The user's registers, those of event_options.regs_mask; NULL for none. */
	const uint64_t *regs;
	unsigned reg_count;
	/** The bytes from the user's stack pointer on. */
	const uint8_t *stack;
	size_t stack_size;
};

/** The event that a sample comes from, see PERF_SAMPLE_IDENTIFIER; 0 for other records. */
uint64_t record_event(const struct perf_event_header *header);
/** A copy of @record and all it points to, in @arena. */
struct record *record_copy(const struct record *record, struct arena *arena);
/**
 * False if the bytes are not what @layout says, which belongs to the event of a sample and may
 * be NULL for other records.
 */
bool record_parse(const struct perf_event_header *header, const struct record_layout *layout,
	struct record *ret);

#endif
