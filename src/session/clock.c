// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/clock.h"

#include "perf/record.h"
#include "session/internal.h"

enum {
	NS_PER_S = 1000000000,
};

static int64_t to_ns(struct timespec time)
{
	return time.tv_sec * (int64_t)NS_PER_S + time.tv_nsec;
}

static struct timespec from_ns(int64_t time)
{
	return (struct timespec){.tv_sec = time / NS_PER_S, .tv_nsec = time % NS_PER_S};
}

void session_clock_at(uint64_t time, struct timespec *wall_ret, struct timespec *monotonic_ret)
{
	int64_t distance;

	clock_gettime(CLOCK_REALTIME, wall_ret);
	clock_gettime(CLOCK_MONOTONIC, monotonic_ret);
	distance = to_ns(*monotonic_ret) - (int64_t)time;
	*wall_ret = from_ns(to_ns(*wall_ret) - distance);
	*monotonic_ret = from_ns((int64_t)time);
}

void session_clock(
	const struct session *session, struct timespec *wall_ret, struct timespec *monotonic_ret)
{
	if (session->record) {
		session_clock_at(session->record->time, wall_ret, monotonic_ret);
		return;
	}
	clock_gettime(CLOCK_REALTIME, wall_ret);
	clock_gettime(CLOCK_MONOTONIC, monotonic_ret);
}

struct timespec session_elapsed(const struct session *session, struct timespec start)
{
	struct timespec now;

	if (session->record)
		now = from_ns((int64_t)session->record->time);
	else
		clock_gettime(CLOCK_MONOTONIC, &now);
	now.tv_sec -= start.tv_sec;
	now.tv_nsec -= start.tv_nsec;
	if (now.tv_nsec < 0) {
		now.tv_nsec += NS_PER_S;
		now.tv_sec--;
	}
	return now;
}
