// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/perf_events.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "event/event.h"
#include "perf/event_attr.h"
#include "perf/sampler.h"
#include "proc/task_status.h"
#include "session/messages.h"
#include "session/on_fault.h"
#include "session/perf_events.h"
#include "session/state.h"
#include "trace/trace.h"
#include "trace/tracee.h"

enum {
	/** Records kept for tasks not seen yet. */
	WAITING_MOST = 10000,
	/** After so many records we look whether the tasks are too fast for us. */
	LOOK_EVERY = 64,
	STACK_DEFAULT = 16 * 1024,
	/** One part in so many of the rings' room may be used before a task waits. */
	BUDGET_PART = 2,
};

// In the sampler's thread. The signal ends the wait for stops.
static void wake(void *context)
{
	struct perf_events *events = context;

	if (!atomic_exchange(&events->woken, true))
		syscall(SYS_tgkill, getpid(), events->thread, SIGCHLD);
}

static bool is_woken(void *context)
{
	struct session *session = context;

	return atomic_exchange(&session->perf->woken, false);
}

void perf_events_attaching(struct session *session, int tid)
{
	if (!session->perf)
		return;
	// Why this thread cannot be watched is the same as for all; it was tried before.
	error_destroy(sampler_add(session->perf->sampler, tid, /* on_exec= */ false));
}

// The task stopped because the rings may be full: it goes on when they are empty.
static bool swallow(void *context, const siginfo_t *info)
{
	struct session *session = context;

	if (!governor_is_ours(&session->perf->governor, info))
		return false;
	perf_events_drain(session);
	return true;
}

// Bytes of the user's stack to record: how much is needed is only known afterwards.
static unsigned stack_size(const struct session_options *options, bool by_pointer)
{
	bool has_stack = options->observe.enabled ? options->output.stack != OUTPUT_STACK_NONE
						  : options->stacks.every;

	if (!has_stack || by_pointer)
		return 0;
	return options->faults.stack_size ? options->faults.stack_size : STACK_DEFAULT;
}

static struct sampler_options sampler_options(struct session *session)
{
	const struct session_options *options = session->options;
	const struct fault_options *faults = &options->faults;
	bool has_stack = options->stacks.every;
	bool by_pointer = faults->stack == FAULT_STACK_FRAME_POINTER;

	return (struct sampler_options){
		.event = {.inherit = options->follow && !options->observe.everything,
			.kernel_chain = has_stack || options->kernel_stack,
			.user_chain = has_stack && by_pointer,
			.stack_size = stack_size(options, by_pointer),
			.regs_mask = frame_regs_perf_mask(),
			.call_regs = options->output.stack != OUTPUT_STACK_NONE,
			.switches = outputs_need(&session->outputs, OUTPUT_NEEDS_SCHEDULING) ||
				    (options->observe.enabled &&
					    outputs_need(&session->outputs, OUTPUT_NEEDS_CPU_TIME)),
			.maps = options->output.stack != OUTPUT_STACK_NONE || faults->minor ||
				faults->major},
		.minor = faults->minor,
		.major = faults->major,
		.calls = options->observe.enabled,
		.ring_most = faults->ring_most,
		.wake = wake,
		.context = session->perf,
	};
}

static struct error *create(struct session *session, const char *call_filter)
{
	struct sampler_options sampler;

	session->perf = xcalloc(1, sizeof(*session->perf));
	session->perf->thread = gettid();
	sampler = sampler_options(session);
	sampler.call_filter = call_filter;
	return sampler_create(&sampler, &session->perf->sampler);
}

struct error *perf_events_create_observer(struct session *session, const char *call_filter)
{
	return create(session, call_filter);
}

struct error *perf_events_create(struct session *session, struct trace_options *trace)
{
	const struct fault_options *options = &session->options->faults;
	struct error *error;

	if (!options->minor && !options->major)
		return NULL;
	error = create(session, /* call_filter= */ NULL);
	if (error)
		return error;
	session->perf->governor = (struct governor){
		.budget = sampler_room(session->perf->sampler) / BUDGET_PART,
		.major_only = !options->minor,
	};
	trace->woken = is_woken;
	trace->swallow = swallow;
	if (sampler_is_user_only(session->perf->sampler)) {
		cleanup_free char *text = xasprintf(
			"page faults inside system calls and kernel frames are not shown: "
			"kernel.perf_event_paranoid is %d (sysctl kernel.perf_event_paranoid=1 "
			"or CAP_PERFMON allows them)",
			event_paranoid());

		message_note(session, text);
	}
	return NULL;
}

struct error *perf_events_launched(struct session *session, int tid)
{
	return session->perf ? sampler_add(session->perf->sampler, tid, /* on_exec= */ true) : NULL;
}

struct error *perf_events_start(struct session *session)
{
	return session->perf ? sampler_start(session->perf->sampler) : NULL;
}

static void keep_waiting(struct perf_events *events, const struct record *record)
{
	struct waiting *waiting = hash_get(&events->waiting, (uint64_t)record->tid);

	// Children that an attached process created just before are nobody's to trace.
	if (events->waiting_count >= WAITING_MOST)
		return;
	if (!waiting) {
		waiting = xcalloc(1, sizeof(*waiting));
		hash_set(&events->waiting, (uint64_t)record->tid, waiting);
	}
	events->waiting_count++;
	*array_add(&waiting->records) = record_copy(record, &waiting->arena);
}

static void destroy_waiting(struct perf_events *events, struct waiting *waiting)
{
	events->waiting_count -= waiting->records.count;
	array_deinit(&waiting->records);
	arena_deinit(&waiting->arena);
	free(waiting);
}

static void show_lost(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct event event = {
		.kind = EVENT_LOST, .lost = {.count = record->lost, .what = "page faults"}};

	if (!task)
		return;
	session_task_event(task, task->source, &event);
	outputs_event(&session->outputs, &event);
}

void perf_events_fault(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct perf_events *events = session->perf;
	const struct record *before = events->source.record;
	const struct source_fault fault = {
		.tid = record->tid,
		.is_major = sampler_is_major(events->sampler, record),
		.in_kernel = record->in_kernel,
		.address = record->address,
		.ip = record->ip,
		.chain = record->chain,
		.chain_count = record->chain_count,
	};

	events->source.record = record;
	session_on_fault(session, task, &events->source.base, &fault);
	events->source.record = before;
}

static void handle(struct session *session, const struct record *record)
{
	struct session_task *task = hash_get(&session->perf->tasks, (uint64_t)record->tid);

	switch (record->kind) {
	case RECORD_FAULT:
		if (task)
			perf_events_fault(session, task, record);
		else
			keep_waiting(session->perf, record);
		break;
	case RECORD_LOST:
		show_lost(session, task, record);
		break;
	case RECORD_EXEC:
		if (task)
			session_process_exec(task->process);
		break;
	case RECORD_ENTER:
	case RECORD_LEAVE:
	case RECORD_COMM:
	case RECORD_MAP:
	case RECORD_BORN:
	case RECORD_GONE:
	case RECORD_RUNS:
	case RECORD_PREEMPTED:
	case RECORD_SLEEPS:
	case RECORD_OTHER:
		break;
	}
}

static void show_waiting(struct session *session, int tid)
{
	struct perf_events *events = session->perf;
	struct waiting *waiting = hash_remove(&events->waiting, (uint64_t)tid);

	if (!waiting)
		return;
	array_for_each (record, &waiting->records)
		handle(session, *record);
	destroy_waiting(events, waiting);
}

// Of tasks that were seen to start meanwhile.
static void show_started(struct session *session)
{
	struct perf_events *events = session->perf;
	struct hash_entry *entry;
	size_t position = 0;

	while (events->waiting.count && (entry = hash_next(&events->waiting, &position))) {
		if (!hash_get(&events->tasks, entry->key))
			continue;
		show_waiting(session, (int)entry->key);
		position = 0;
	}
}

void perf_events_drain(struct session *session)
{
	struct perf_events *events = session->perf;
	bool is_held = false, is_behind = events;
	struct record *const *records;
	size_t count;

	if (events)
		show_started(session);
	while (is_behind) {
		records = sampler_take(events->sampler, &count);
		is_behind = false;
		for (size_t i = 0; i < count; i++) {
			if (i % LOOK_EVERY == 0 && !is_behind)
				is_behind = sampler_is_behind(events->sampler);
			// Those that stop now wait until we are done here.
			if (is_behind && !is_held)
				trace_hold(session->ptrace.trace);
			is_held |= is_behind;
			handle(session, records[i]);
		}
	}
}

void perf_events_task(struct session *session, struct session_task *task)
{
	int tid = task->id.tid;

	if (!session->perf)
		return;
	hash_set(&session->perf->tasks, (uint64_t)tid, task);
	governor_add(&session->perf->governor, tid);
}

static void forget(struct perf_events *events, const struct session_task *task, int tid)
{
	// Its number may be another's already, by exec.
	if (hash_get(&events->tasks, (uint64_t)tid) != task)
		return;
	hash_remove(&events->tasks, (uint64_t)tid);
	governor_remove(&events->governor, tid);
}

void perf_events_forget(struct session *session, struct session_task *task)
{
	if (!session->perf)
		return;
	show_waiting(session, task->id.tid);
	forget(session->perf, task, task->id.tid);
}

void perf_events_renamed(struct session *session, struct session_task *task, int former_tid)
{
	if (!session->perf)
		return;
	if (former_tid == task->id.tid)
		return;
	governor_rename(&session->perf->governor, former_tid, task->id.tid);
	forget(session->perf, task, former_tid);
	hash_set(&session->perf->tasks, (uint64_t)task->id.tid, task);
}

// The kernel takes the events of a task away that may not be looked at: one that runs under
// another user's or group's rights by its program's set-id bit (since 2.6.31).
static bool is_set_id(int tid)
{
	struct task_status status;

	return task_status_read(tid, &status) && task_status_is_set_id(&status);
}

void perf_events_executed(struct session *session, struct session_task *task)
{
	int tid = task->id.tid;

	if (!session->perf || !is_set_id(tid))
		return;
	// If it still has its old ones, it is reported once nevertheless.
	error_destroy(sampler_add(session->perf->sampler, tid, /* on_exec= */ false));
	governor_remove(&session->perf->governor, tid);
	governor_add(&session->perf->governor, tid);
}

void perf_events_release(struct session *session)
{
	if (!session->perf)
		return;
	if (session->perf->sampler)
		sampler_stop(session->perf->sampler);
	governor_release(&session->perf->governor);
}

static void say_what_was_lost(struct session *session)
{
	struct sampler_counts counts = sampler_counts(session->perf->sampler);
	uint64_t lost = counts.kernel_lost > counts.lost ? counts.kernel_lost : counts.lost;
	cleanup_free char *text = NULL;

	if (!lost)
		return;
	text = xasprintf("%" PRIu64 " %s were lost, %" PRIu64
			 " were recorded: the buffers were full (see --ring-size)",
		lost, session->observe ? "events" : "page faults", counts.taken);
	message_note(session, text);
}

void perf_events_finish(struct session *session)
{
	struct perf_events *events = session->perf;
	struct hash_entry *entry;
	size_t position = 0;

	if (!events)
		return;
	if (events->sampler)
		say_what_was_lost(session);
	sampler_destroy(events->sampler);
	governor_deinit(&events->governor);
	while ((entry = hash_next(&events->waiting, &position)))
		destroy_waiting(events, entry->value);
	hash_deinit(&events->waiting);
	hash_deinit(&events->tasks);
	free(events);
	session->perf = NULL;
}
