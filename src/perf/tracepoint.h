// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_TRACEPOINT_H
#define SRC_PERF_TRACEPOINT_H

/** The kernel's static tracepoints as tracefs lists them (Documentation/trace/events.rst). */

#include <stdint.h>

struct error;

/**
 * The number of @group:@name for perf_event_open(2). An error says what keeps it from us and
 * what allows it.
 */
struct error *tracepoint_id(const char *group, const char *name, uint64_t *ret);
/** Why a tracepoint cannot be opened, by errno @code. */
struct error *tracepoint_refusal(int code);

#endif
