// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_TADDR_H
#define SRC_BASE_TADDR_H

/**
 * Addresses and tasks of the traced side. Neither is ever a C pointer or a bare
 * pid here, so mixing them up with our own does not compile or at least reads
 * wrong.
 */

#include <stdbool.h>
#include <stdint.h>

/** An address in a tracee's memory. 32-bit tracees use the low half. */
typedef uint64_t taddr;

/** A thread for the whole run: the kernel reuses @tid, @serial never repeats. */
struct task_id {
	int tid;
	uint32_t serial;
};

static inline bool task_id_equal(struct task_id a, struct task_id b)
{
	return a.tid == b.tid && a.serial == b.serial;
}

#endif
