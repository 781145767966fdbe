// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_MONOTONIC_H
#define SRC_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

#include "base/time_units.h"

/** Nanoseconds of CLOCK_MONOTONIC, for intervals and deadlines (clock_gettime(2)). */
static inline uint64_t monotonic_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

#endif
