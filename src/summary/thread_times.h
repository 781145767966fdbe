// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SUMMARY_THREAD_TIMES_H
#define SRC_SUMMARY_THREAD_TIMES_H

/**
 * --sched: how long each thread was on a processor, and how long it waited, as a table at the
 * end. Of observed threads events tell of each switch; of stopped ones the kernel's own
 * account is what is known, and what comes after the last stop is missing.
 */

#include "output/output.h"

/** Not in the list of formats. */
extern const struct output_format thread_times_format;

#endif
