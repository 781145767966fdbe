// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/text_prefix.h"

#include <string.h>

#include "abi/abi.h"
#include "base/buf.h"
#include "base/time_units.h"
#include "event/event.h"
#include "output/quote.h"

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

static void put_fraction(struct buf *buf, long nanoseconds, output_digits digits)
{
	for (unsigned i = digits; i < 9; i++)
		nanoseconds /= 10;
	if (digits)
		buf_printf(buf, ".%0*ld", digits, nanoseconds);
}

void put_seconds(struct buf *buf, struct timespec time, int width, output_digits digits)
{
	buf_printf(buf, "%*lld", width, (long long)time.tv_sec);
	put_fraction(buf, time.tv_nsec, digits);
}

static void put_relative(struct text_prefix *prefix, struct buf *buf, struct timespec now)
{
	struct timespec since = {0};
	bool behind_clock = prefix->options->clock != OUTPUT_CLOCK_NONE;

	if (prefix->has_last)
		since = timespec_sub(now, prefix->last);
	// Entry times of different tasks need not come in order.
	if (since.tv_sec < 0)
		since = (struct timespec){0};
	else
		prefix->last = now;
	prefix->has_last = true;
	buf_string(buf, behind_clock ? "(+" : "");
	put_seconds(buf, since, 6, prefix->options->relative_digits);
	buf_string(buf, behind_clock ? ") " : " ");
}

static void put_comm(const struct text_prefix *prefix, struct buf *buf, const char *comm)
{
	buf_char(buf, '<');
	quote_angled(buf, comm, strlen(comm), prefix->options->style.strings);
	buf_char(buf, '>');
}

void text_prefix_pid(const struct text_prefix *prefix, struct buf *buf, int tid, const char *comm)
{
	bool named = prefix->options->comm && comm && comm[0];

	if (prefix->pid_always)
		buf_printf(buf, named ? "%d" : "%-5d ", tid);
	else if (prefix->tasks > 1)
		buf_printf(buf, named ? "[pid %5d" : "[pid %5d] ", tid);
	else
		return;
	if (!named)
		return;
	put_comm(prefix, buf, comm);
	buf_string(buf, prefix->pid_always ? " " : "] ");
}

// As wide as addresses of the task are; four digits of a number are enough for any call.
static void put_place(
	struct buf *buf, const struct output_options *options, const struct event *event)
{
	static const char unknown[] = "????????????????";
	int width = 2 * (int)abi_get(event->abi_now)->word_size;

	if (options->call_number && event->call_number >= 0)
		buf_printf(buf, "[%4lld] ", (long long)event->call_number);
	else if (options->call_number)
		buf_printf(buf, "[%.4s] ", unknown);
	if (options->instruction_pointer && event->ip)
		buf_printf(buf, "[%0*llx] ", width, (unsigned long long)event->ip);
	else if (options->instruction_pointer)
		buf_printf(buf, "[%.*s] ", width, unknown);
}

void text_prefix_append(struct text_prefix *prefix, struct buf *buf, const struct event *event,
	struct timespec later)
{
	const struct output_options *options = prefix->options;
	struct timespec wall = timespec_add(event->wall, later);
	struct timespec monotonic = timespec_add(event->monotonic, later);

	text_prefix_pid(prefix, buf, event->task.tid, event->comm);

	switch (options->clock) {
	case OUTPUT_CLOCK_NONE:
		break;
	case OUTPUT_CLOCK_DAY:
		buf_string(buf, clock_text(prefix, wall.tv_sec));
		put_fraction(buf, wall.tv_nsec, options->clock_digits);
		buf_char(buf, ' ');
		break;
	case OUTPUT_CLOCK_EPOCH:
		put_seconds(buf, wall, 0, options->clock_digits);
		buf_char(buf, ' ');
		break;
	}
	if (options->relative)
		put_relative(prefix, buf, monotonic);
	put_place(buf, options, event);
}
