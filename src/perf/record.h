// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_RECORD_H
#define SRC_PERF_RECORD_H

/**
 * A perf record as a struct: page faults, lost records, executed programs. The
 * layout is that of perf_event_open(2), "MMAP layout", for the events that
 * event_attr asks for. Pure: bytes in, pointers into the same bytes out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

struct arena;
struct perf_event_header;

/** Indices in record_regs.value: the registers we ask for in the kernel's order. */
enum record_reg {
	RECORD_REG_AX,
	RECORD_REG_BX,
	RECORD_REG_CX,
	RECORD_REG_DX,
	RECORD_REG_SI,
	RECORD_REG_DI,
	RECORD_REG_BP,
	RECORD_REG_SP,
	RECORD_REG_IP,
	RECORD_REG_R8,
	RECORD_REG_COUNT = RECORD_REG_R8 + 8,
};

enum {
	/** The mask of these registers (asm/perf_regs.h: AX to IP, R8 to R15). */
	RECORD_REGS_MASK = 0xff01ff,
};

/** What a record says beyond its header; must agree with the event it comes from. */
struct record_layout {
	bool has_chain;
	bool has_stack;
};

enum record_kind {
	/** A page fault. */
	RECORD_FAULT,
	/** @lost records had no room in the ring. */
	RECORD_LOST,
	/** The task executed a program: from here on its memory is another. */
	RECORD_EXEC,
	/** Nothing that we asked for. */
	RECORD_OTHER,
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
	/** The user's registers, see enum record_reg; NULL for none. */
	const uint64_t *regs;
	/** The bytes from the user's stack pointer on. */
	const uint8_t *stack;
	size_t stack_size;
};

/** A copy of @record and all it points to, in @arena. */
struct record *record_copy(const struct record *record, struct arena *arena);
/** False if the bytes are not what @layout says. */
bool record_parse(const struct perf_event_header *header, const struct record_layout *layout,
	struct record *ret);

#endif
