// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_QUERY_H
#define SRC_FILTER_QUERY_H

/** What the user asked to see: calls, paths, outcomes. */

#include <stdbool.h>
#include <stdint.h>

#include "base/number_set.h"
#include "filter/path_set.h"
#include "schema/syscall_set.h"

struct error;

enum query_status {
	QUERY_STATUS_SUCCESSFUL = 1 << 0,
	QUERY_STATUS_FAILED = 1 << 1,
	QUERY_STATUS_UNFINISHED = 1 << 2,
	QUERY_STATUS_UNAVAILABLE = 1 << 3,
	QUERY_STATUS_DETACHED = 1 << 4,
	QUERY_STATUS_ALL = (1 << 5) - 1,
};

struct query {
	/** -e trace= */
	struct syscall_set calls;
	/** --trace-fds: calls with one of these descriptors are asked for, beside those of -P. */
	bool has_fds;
	struct number_set fds;
	/** -P; empty means any path or none. */
	struct path_set paths;
	/** -e signal=: bit n - 1 stands for signal n. */
	uint64_t signals;
	/** It was given, so -P hides no signals and ends of tasks. */
	bool signals_asked;
	/** -z, -Z, -e status=: QUERY_STATUS_* of calls to show. */
	unsigned statuses;
};

/** Everything is wanted. */
void query_init(struct query *query);
void query_deinit(struct query *query);

/**
 * A set of calls as strace(1) spells it: names, numbers, all, %class, /regex, each with ? (may be
 * unknown) or @64 / @32 / @x32, and ! in front for all but these; or none.
 */
struct error *query_parse_calls(const char *text, struct syscall_set *ret);
/** -e trace=@text, the same with all numbers that have no name. Replaces what was there. */
struct error *query_set_calls(struct query *query, const char *text);
/** -e status=@text: successful, failed, unfinished, unavailable, detached, all, none, !. */
struct error *query_set_statuses(struct query *query, const char *text);
/** -e signal=@text: names with or without SIG, numbers, all, none, ! in front. */
struct error *query_set_signals(struct query *query, const char *text);
/** One signal: its name with or without SIG, or its number; false if there is none. */
bool query_signal_by_name(const char *name, int *ret);

#endif
