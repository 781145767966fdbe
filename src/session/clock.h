// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_CLOCK_H
#define SRC_SESSION_CLOCK_H

/** When something happens: now at a stop, or what session->record says. */

#include <stdint.h>
#include <time.h>

struct session;

void session_clock(
	const struct session *session, struct timespec *wall_ret, struct timespec *monotonic_ret);
/** The time since @start, by CLOCK_MONOTONIC. */
struct timespec session_elapsed(const struct session *session, struct timespec start);
/** @time is of CLOCK_MONOTONIC; the other clock is as far from it as it is now. */
void session_clock_at(uint64_t time, struct timespec *wall_ret, struct timespec *monotonic_ret);

#endif
