// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SUMMARY_COUNT_H
#define SRC_SUMMARY_COUNT_H

/** Statistics per system call, in all or per thread, and of page faults. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/hash.h"
#include "schema/abi_id.h"
#include "summary/columns.h"

struct event;

struct summary_options {
	/** -c or -C; the rest only means something then. */
	bool enabled;
	/** -w: times are those of a clock on the wall, else those of the processor. */
	bool wall;
	/** --errno-summary */
	bool errors;
	/** --summary-by=thread */
	bool by_thread;
	/** -O: nanoseconds of each call's time that are due to tracing it. */
	uint64_t overhead;
	enum summary_column sort;
	struct summary_columns columns;
};

struct summary_error {
	int code;
	uint64_t count;
};

/** One call. Times in nanoseconds. */
struct summary_row {
	enum abi_id abi;
	uint64_t number;
	/** NULL for a number outside the tables. */
	const char *name;
	uint64_t calls, errors;
	uint64_t total, least, most;
	/** The same by the clock on the wall, without overhead taken off. */
	uint64_t wall_total, wall_least, wall_most;
	/** Mean and sum of squared distances from it, as they grow (Welford's method). */
	double mean, squares;
	ARRAY(struct summary_error) codes;
};

/** Rows of everything, or of one thread. */
struct summary_table {
	/** Of a thread: its id, its process and its name at its last call. */
	int tid, pid;
	char *comm;
	uint64_t calls;
	ARRAY(struct summary_row) rows;
	/** ABI and number to index + 1. */
	struct hash index;
};

struct summary_place {
	char *name;
	uint64_t minor, major;
};

/** Page faults by the name of something. */
struct summary_places {
	ARRAY(struct summary_place) places;
	struct hash index;
};

struct summary {
	struct summary_options options;
	struct summary_table all;
	/** In the order of their first calls; task serial to index + 1. */
	ARRAY(struct summary_table) threads;
	struct hash thread_index;
	struct summary_places functions, files;
};

void summary_init(struct summary *summary, const struct summary_options *options);
void summary_deinit(struct summary *summary);
/** The call of @event has ended. */
void summary_call(struct summary *summary, const struct event *event);
/** A page fault by code in @function, in what is called @file. */
void summary_fault(struct summary *summary, bool major, const char *function, const char *file);

#endif
