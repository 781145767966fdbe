// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_TIME_UNITS_H
#define SRC_BASE_TIME_UNITS_H

/** Nanoseconds in other units of time. */

enum {
	NS_PER_US = 1000,
	NS_PER_MS = 1000 * NS_PER_US,
	NS_PER_S = 1000 * NS_PER_MS,
};

#endif
