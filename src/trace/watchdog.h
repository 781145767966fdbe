// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_WATCHDOG_H
#define SRC_TRACE_WATCHDOG_H

/**
 * A watchdog timer on our own main loop. Signals that end us are looked at in trace_next(); who
 * calls it may be kept elsewhere for long: by a pipe that nobody reads, a huge debug file. The
 * beat (beat.c), a signal handler, notices that. If somebody asks us to end meanwhile, it
 * lets all tasks go from there, and the caller goes on with what it does; if asked again, we
 * end. It reads the table of tracees, which stands still while trace_next() and its like do
 * not run; what it calls is async-signal-safe.
 */

#include <stdbool.h>

struct trace;

/** From now on beats look at @trace; only one at a time. */
void watchdog_start(struct trace *trace);
void watchdog_stop(struct trace *trace);

#endif
