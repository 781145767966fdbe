// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/thread_times.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "base/parse.h"
#include "output/quote.h"
#include "output/sink.h"
#include "perf/record.h"
#include "proc/schedstat.h"
#include "proc/task.h"
#include "session/state.h"
#include "trace/tracee.h"

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
	char comm[TASK_COMM_SIZE];
	enum times_state state;
	/** When it began. */
	uint64_t since;
	uint64_t times[STATE_COUNT];
	/** How often it got a processor, and how often it had to give one back before it slept. */
	uint64_t runs, preempted;
};

struct session_times {
	/** Serial of a task to index + 1. */
	struct hash index;
	ARRAY(struct thread_times) threads;
};

void session_times_start(struct session *session)
{
	if (session->options->sched)
		session->times = xcalloc(1, sizeof(*session->times));
}

static struct thread_times *thread_of(struct session_times *times, const struct session_task *task)
{
	uintptr_t index = (uintptr_t)hash_get(&times->index, task->id.serial);
	struct thread_times *thread;

	if (!index) {
		*array_add(&times->threads) = (struct thread_times){.tid = task->id.tid};
		index = times->threads.count;
		hash_set(&times->index, task->id.serial, (void *)index);
	}
	thread = &times->threads.data[index - 1];
	memcpy(thread->comm, task->comm, sizeof(thread->comm));
	return thread;
}

void session_times_stop(struct session *session, const struct session_task *task)
{
	struct schedstat account;
	struct thread_times *thread;

	if (!session->times || !schedstat_read(&session->schedstat, task->id.tid, &account))
		return;
	thread = thread_of(session->times, task);
	thread->times[STATE_RUNS] = account.ran;
	thread->times[STATE_QUEUED] = account.waited;
	thread->runs = account.runs;
}

static void change(struct thread_times *thread, enum times_state state, uint64_t time)
{
	// Two processors' records of the same moment may come in either order.
	if (thread->state != STATE_UNKNOWN && time > thread->since)
		thread->times[thread->state] += time - thread->since;
	thread->state = state;
	thread->since = time;
}

void session_times_record(
	struct session *session, const struct session_task *task, const struct record *record)
{
	struct thread_times *thread;

	if (!session->times)
		return;
	thread = thread_of(session->times, task);
	switch (record->kind) {
	case RECORD_RUNS:
		thread->runs += thread->state != STATE_RUNS;
		change(thread, STATE_RUNS, record->time);
		break;
	case RECORD_PREEMPTED:
		thread->preempted += thread->state != STATE_QUEUED;
		change(thread, STATE_QUEUED, record->time);
		break;
	case RECORD_SLEEPS:
		change(thread, STATE_ASLEEP, record->time);
		break;
	case RECORD_BORN:
		if (thread->state == STATE_UNKNOWN)
			change(thread, STATE_QUEUED, record->time);
		break;
	case RECORD_GONE:
		change(thread, STATE_UNKNOWN, record->time);
		break;
	case RECORD_ENTER:
	case RECORD_LEAVE:
	case RECORD_FAULT:
	case RECORD_EXEC:
	case RECORD_COMM:
	case RECORD_MAP:
		// It does something, so it runs.
		if (thread->state == STATE_UNKNOWN) {
			thread->runs++;
			change(thread, STATE_RUNS, record->time);
		}
		break;
	case RECORD_LOST:
	case RECORD_OTHER:
		break;
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

static void put_row(struct buf *text, const struct thread_times *thread, bool observed)
{
	buf_printf(text, "%12.3f %12.3f ", milliseconds(thread->times[STATE_RUNS]),
		milliseconds(thread->times[STATE_QUEUED]));
	// The kernel's account knows only these three.
	if (observed)
		buf_printf(text, "%12.3f %9llu %9llu ", milliseconds(thread->times[STATE_ASLEEP]),
			(unsigned long long)thread->runs, (unsigned long long)thread->preempted);
	else
		buf_printf(text, "%12s %9llu %9s ", "-", (unsigned long long)thread->runs, "-");
	buf_printf(text, "%d ", thread->tid);
	quote_plain(text, thread->comm, strlen(thread->comm));
	buf_char(text, '\n');
}

void session_times_finish(struct session *session)
{
	struct session_times *times = session->times;
	struct buf text = {0};

	if (!times)
		return;
	array_for_each (thread, &times->threads)
		change(thread, STATE_UNKNOWN, monotonic_ns());
	if (times->threads.count)
		qsort(times->threads.data, times->threads.count, sizeof(*times->threads.data),
			compare_threads);
	buf_string(&text, "      on CPU       queued       asleep      runs preempted thread\n"
			  "        (ms)         (ms)         (ms)\n"
			  "------------ ------------ ------------ --------- --------- ------\n");
	array_for_each (thread, &times->threads)
		put_row(&text, thread, session->options->observe.enabled);
	sink_write(session->options->sink, text.data, text.length);
	buf_deinit(&text);
	array_deinit(&times->threads);
	hash_deinit(&times->index);
	free(times);
	session->times = NULL;
}
