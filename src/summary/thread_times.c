// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "summary/thread_times.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "event/event.h"
#include "output/quote.h"
#include "output/sink.h"

enum {
	/** Longest name of a task, with its NUL (TASK_COMM_LEN of the kernel's linux/sched.h). */
	COMM_SIZE = 16,
};

enum times_state {
	STATE_UNKNOWN,
	STATE_RUNS,
	STATE_QUEUED,
	STATE_ASLEEP,
	STATE_COUNT,
};

/** One thread; times in nanoseconds. */
struct thread_times {
	int tid;
	char comm[COMM_SIZE];
	/** Its times are the kernel's account. */
	bool is_account;
	enum times_state state;
	/** When it began. */
	uint64_t since;
	uint64_t times[STATE_COUNT];
	/** How often it got a processor, and how often it had to give one back before it slept. */
	uint64_t runs, preempted;
};

struct thread_list {
	struct output output;
	struct sink *sink;
	/** Serial of a task to index + 1. */
	struct hash index;
	ARRAY(struct thread_times) threads;
};

static struct output *times_create(const struct output_options *options, struct sink *sink)
{
	struct thread_list *list = xcalloc(1, sizeof(*list));

	(void)options;
	list->output.needs = OUTPUT_NEEDS_SCHEDULING;
	list->sink = sink;
	return &list->output;
}

static struct thread_times *thread_of(struct thread_list *list, const struct event *event)
{
	uintptr_t index = (uintptr_t)hash_get(&list->index, event->task.serial);
	struct thread_times *thread;

	if (!index) {
		*array_add(&list->threads) = (struct thread_times){.tid = event->task.tid};
		index = list->threads.count;
		hash_set(&list->index, event->task.serial, (void *)index);
	}
	thread = &list->threads.data[index - 1];
	snprintf(thread->comm, sizeof(thread->comm), "%s", event->comm);
	return thread;
}

static void change(struct thread_times *thread, enum times_state state, uint64_t time)
{
	// Two processors' records of the same moment may come in either order.
	if (thread->state != STATE_UNKNOWN && time > thread->since)
		thread->times[thread->state] += time - thread->since;
	thread->state = state;
	thread->since = time;
}

static void add_switch(struct thread_times *thread, enum event_scheduled scheduled, uint64_t time)
{
	switch (scheduled) {
	case EVENT_SCHEDULED_IN:
		thread->runs += thread->state != STATE_RUNS;
		change(thread, STATE_RUNS, time);
		break;
	case EVENT_SCHEDULED_PREEMPTED:
		thread->preempted += thread->state != STATE_QUEUED;
		change(thread, STATE_QUEUED, time);
		break;
	case EVENT_SCHEDULED_NEW:
		if (thread->state == STATE_UNKNOWN)
			change(thread, STATE_QUEUED, time);
		break;
	case EVENT_SCHEDULED_OUT:
		change(thread, STATE_ASLEEP, time);
		break;
	case EVENT_SCHEDULED_GONE:
		change(thread, STATE_UNKNOWN, time);
		break;
	}
}

static void times_event(struct output *output, const struct event *event)
{
	struct thread_list *list = (struct thread_list *)output;
	struct thread_times *thread;

	if (event->kind == EVENT_SCHEDULED) {
		add_switch(thread_of(list, event), event->scheduled,
			(uint64_t)event->monotonic.tv_sec * NS_PER_S +
				(uint64_t)event->monotonic.tv_nsec);
	} else if (event->kind == EVENT_ACCOUNT) {
		thread = thread_of(list, event);
		thread->is_account = true;
		thread->times[STATE_RUNS] = event->account.ran;
		thread->times[STATE_QUEUED] = event->account.waited;
		thread->runs = event->account.runs;
	}
}

static int compare_threads(const void *a, const void *b)
{
	uint64_t x = ((const struct thread_times *)a)->times[STATE_RUNS];
	uint64_t y = ((const struct thread_times *)b)->times[STATE_RUNS];

	return x > y ? -1 : x < y;
}

static double milliseconds(uint64_t time)
{
	return (double)time / 1e6;
}

static void put_row(struct buf *text, const struct thread_times *thread)
{
	buf_printf(text, "%12.3f %12.3f ", milliseconds(thread->times[STATE_RUNS]),
		milliseconds(thread->times[STATE_QUEUED]));
	// The kernel's account knows only these three.
	if (!thread->is_account)
		buf_printf(text, "%12.3f %9llu %9llu ", milliseconds(thread->times[STATE_ASLEEP]),
			(unsigned long long)thread->runs, (unsigned long long)thread->preempted);
	else
		buf_printf(text, "%12s %9llu %9s ", "-", (unsigned long long)thread->runs, "-");
	buf_printf(text, "%d ", thread->tid);
	quote_plain(text, thread->comm, strlen(thread->comm));
	buf_char(text, '\n');
}

static void times_finish(struct output *output)
{
	struct thread_list *list = (struct thread_list *)output;
	struct buf text = {0};

	array_for_each (thread, &list->threads)
		change(thread, STATE_UNKNOWN, monotonic_ns());
	if (list->threads.count)
		qsort(list->threads.data, list->threads.count, sizeof(*list->threads.data),
			compare_threads);
	buf_string(&text, "      on CPU       queued       asleep      runs preempted thread\n"
			  "        (ms)         (ms)         (ms)\n"
			  "------------ ------------ ------------ --------- --------- ------\n");
	array_for_each (thread, &list->threads)
		put_row(&text, thread);
	sink_write(list->sink, text.data, text.length);
	buf_deinit(&text);
	array_deinit(&list->threads);
	hash_deinit(&list->index);
	free(list);
}

const struct output_format thread_times_format = {
	.name = "thread-times",
	.create = times_create,
	.event = times_event,
	.finish = times_finish,
};
