// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/text_prefix.h"
#include "base/buf.h"

enum {
	NS_PER_S = 1000000000,
	NS_PER_US = 1000,
};

struct timespec timespec_add(struct timespec a, struct timespec b)
{
	struct timespec sum = {a.tv_sec + b.tv_sec, a.tv_nsec + b.tv_nsec};

	if (sum.tv_nsec >= NS_PER_S) {
		sum.tv_sec++;
		sum.tv_nsec -= NS_PER_S;
	}
	return sum;
}

static struct timespec timespec_sub(struct timespec a, struct timespec b)
{
	struct timespec difference = {a.tv_sec - b.tv_sec, a.tv_nsec - b.tv_nsec};

	if (difference.tv_nsec < 0) {
		difference.tv_sec--;
		difference.tv_nsec += NS_PER_S;
	}
	return difference;
}

// Local time is costly to compute, and most lines share their second with the line before.
static const char *clock_text(struct text_prefix *prefix, time_t second)
{
	struct tm local;

	if (second != prefix->second || !prefix->clock_text[0]) {
		if (!localtime_r(&second, &local))
			return "??:??:??";
		strftime(prefix->clock_text, sizeof(prefix->clock_text), "%H:%M:%S", &local);
		prefix->second = second;
	}
	return prefix->clock_text;
}

static void put_relative(struct text_prefix *prefix, struct buf *buf, struct timespec now)
{
	struct timespec since = {0};

	if (prefix->has_last)
		since = timespec_sub(now, prefix->last);
	// Entry times of different tasks need not come in order.
	if (since.tv_sec < 0)
		since = (struct timespec){0};
	else
		prefix->last = now;
	prefix->has_last = true;
	buf_printf(buf, "%6lld.%06ld ", (long long)since.tv_sec, since.tv_nsec / NS_PER_US);
}

void text_prefix_append(struct text_prefix *prefix, struct buf *buf, int tid, struct timespec wall,
	struct timespec monotonic)
{
	if (prefix->pid_always)
		buf_printf(buf, "%-5d ", tid);
	else if (prefix->tasks > 1)
		buf_printf(buf, "[pid %5d] ", tid);

	switch (prefix->clock) {
	case OUTPUT_CLOCK_NONE:
		break;
	case OUTPUT_CLOCK_SECONDS:
		buf_string(buf, clock_text(prefix, wall.tv_sec));
		buf_char(buf, ' ');
		break;
	case OUTPUT_CLOCK_MICROSECONDS:
		buf_string(buf, clock_text(prefix, wall.tv_sec));
		buf_printf(buf, ".%06ld ", wall.tv_nsec / NS_PER_US);
		break;
	case OUTPUT_CLOCK_EPOCH:
		buf_printf(buf, "%lld.%06ld ", (long long)wall.tv_sec, wall.tv_nsec / NS_PER_US);
		break;
	case OUTPUT_CLOCK_RELATIVE:
		put_relative(prefix, buf, monotonic);
		break;
	}
}
