// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/faults.h"

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
#include "proc/task.h"
#include "session/faults_internal.h"
#include "session/internal.h"
#include "session/summaries.h"
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
	struct session_faults *faults = context;

	if (!atomic_exchange(&faults->woken, true))
		syscall(SYS_tgkill, getpid(), faults->thread, SIGCHLD);
}

static bool is_woken(void *context)
{
	struct session *session = context;

	return atomic_exchange(&session->faults->woken, false);
}

void session_faults_attaching(struct session *session, int tid)
{
	if (!session->faults)
		return;
	// Why this thread cannot be watched is the same as for all; it was tried before.
	error_destroy(sampler_add(session->faults->sampler, tid, /* on_exec= */ false));
}

// The task stopped because the rings may be full: it goes on when they are empty.
static bool swallow(void *context, const siginfo_t *info)
{
	struct session *session = context;

	if (!governor_is_ours(&session->faults->governor, info))
		return false;
	session_faults_drain(session);
	return true;
}

void session_note(struct session *session, const char *text)
{
	struct event event = {.kind = EVENT_NOTE, .text = text};

	clock_gettime(CLOCK_REALTIME, &event.wall);
	clock_gettime(CLOCK_MONOTONIC, &event.monotonic);
	outputs_event(&session->outputs, &event);
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
			.call_regs = options->output.stack != OUTPUT_STACK_NONE,
			.switches = options->sched || session_summary_needs_switches(options),
			.maps = options->output.stack != OUTPUT_STACK_NONE || faults->minor ||
				faults->major},
		.minor = faults->minor,
		.major = faults->major,
		.calls = options->observe.enabled,
		.ring_most = faults->ring_most,
		.wake = wake,
		.context = session->faults,
	};
}

static struct error *create(struct session *session, const char *call_filter)
{
	struct sampler_options sampler;

	session->faults = xcalloc(1, sizeof(*session->faults));
	session->faults->thread = gettid();
	sampler = sampler_options(session);
	sampler.call_filter = call_filter;
	return sampler_create(&sampler, &session->faults->sampler);
}

struct error *session_faults_create_observer(struct session *session, const char *call_filter)
{
	return create(session, call_filter);
}

struct error *session_faults_create(struct session *session, struct trace_options *trace)
{
	const struct fault_options *options = &session->options->faults;
	struct error *error;

	if (!options->minor && !options->major)
		return NULL;
	error = create(session, /* call_filter= */ NULL);
	if (error)
		return error;
	session->faults->governor = (struct governor){
		.budget = sampler_room(session->faults->sampler) / BUDGET_PART,
		.major_only = !options->minor,
	};
	trace->woken = is_woken;
	trace->swallow = swallow;
	if (sampler_is_user_only(session->faults->sampler)) {
		cleanup_free char *text = xasprintf(
			"page faults inside system calls and kernel frames are not shown: "
			"kernel.perf_event_paranoid is %d (sysctl kernel.perf_event_paranoid=1 "
			"or CAP_PERFMON allows them)",
			event_paranoid());

		session_note(session, text);
	}
	return NULL;
}

struct error *session_faults_launched(struct session *session, int tid)
{
	return session->faults ? sampler_add(session->faults->sampler, tid, /* on_exec= */ true)
			       : NULL;
}

struct error *session_faults_start(struct session *session)
{
	return session->faults ? sampler_start(session->faults->sampler) : NULL;
}

static void keep_waiting(struct session_faults *faults, const struct record *record)
{
	struct waiting *waiting = hash_get(&faults->waiting, (uint64_t)record->tid);

	// Children that an attached process created just before are nobody's to trace.
	if (faults->waiting_count >= WAITING_MOST)
		return;
	if (!waiting) {
		waiting = xcalloc(1, sizeof(*waiting));
		hash_set(&faults->waiting, (uint64_t)record->tid, waiting);
	}
	faults->waiting_count++;
	*array_add(&waiting->records) = record_copy(record, &waiting->arena);
}

static void destroy_waiting(struct session_faults *faults, struct waiting *waiting)
{
	faults->waiting_count -= waiting->records.count;
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
	session_task_event(task, &event);
	outputs_event(&session->outputs, &event);
}

static void handle(struct session *session, const struct record *record)
{
	struct session_task *task = hash_get(&session->faults->tasks, (uint64_t)record->tid);

	switch (record->kind) {
	case RECORD_FAULT:
		if (task)
			session_on_fault(session, task, record);
		else
			keep_waiting(session->faults, record);
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
	struct session_faults *faults = session->faults;
	struct waiting *waiting = hash_remove(&faults->waiting, (uint64_t)tid);

	if (!waiting)
		return;
	array_for_each (record, &waiting->records)
		handle(session, *record);
	destroy_waiting(faults, waiting);
}

// Of tasks that were seen to start meanwhile.
static void show_started(struct session *session)
{
	struct session_faults *faults = session->faults;
	struct hash_entry *entry;
	size_t position = 0;

	while (faults->waiting.count && (entry = hash_next(&faults->waiting, &position))) {
		if (!hash_get(&faults->tasks, entry->key))
			continue;
		show_waiting(session, (int)entry->key);
		position = 0;
	}
}

void session_faults_drain(struct session *session)
{
	struct session_faults *faults = session->faults;
	bool is_held = false, is_behind = faults;
	struct record *const *records;
	size_t count;

	if (faults)
		show_started(session);
	while (is_behind) {
		records = sampler_take(faults->sampler, &count);
		is_behind = false;
		for (size_t i = 0; i < count; i++) {
			if (i % LOOK_EVERY == 0 && !is_behind)
				is_behind = sampler_is_behind(faults->sampler);
			// Those that stop now wait until we are done here.
			if (is_behind && !is_held)
				trace_hold(session->trace);
			is_held |= is_behind;
			handle(session, records[i]);
		}
	}
}

void session_faults_task(struct session *session, struct session_task *task)
{
	int tid = task->tracee->id.tid;

	if (!session->faults)
		return;
	hash_set(&session->faults->tasks, (uint64_t)tid, task);
	governor_add(&session->faults->governor, tid);
}

static void forget(struct session_faults *faults, const struct session_task *task, int tid)
{
	// Its number may be another's already, by exec.
	if (hash_get(&faults->tasks, (uint64_t)tid) != task)
		return;
	hash_remove(&faults->tasks, (uint64_t)tid);
	governor_remove(&faults->governor, tid);
}

void session_faults_forget(struct session *session, struct session_task *task)
{
	if (!session->faults)
		return;
	show_waiting(session, task->tracee->id.tid);
	forget(session->faults, task, task->tracee->id.tid);
}

void session_faults_renamed(struct session *session, struct session_task *task, int former_tid)
{
	if (!session->faults)
		return;
	if (former_tid == task->tracee->id.tid)
		return;
	governor_rename(&session->faults->governor, former_tid, task->tracee->id.tid);
	forget(session->faults, task, former_tid);
	hash_set(&session->faults->tasks, (uint64_t)task->tracee->id.tid, task);
}

// The kernel takes the events of a task away that may not be looked at: one that runs under
// another user's or group's rights by its program's set-id bit (since 2.6.31).
static bool is_set_id(int tid)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "status", &length);
	const char *uid = text ? strstr(text, "\nUid:") : NULL;
	const char *gid = text ? strstr(text, "\nGid:") : NULL;
	unsigned real_uid, uid_now, real_gid, gid_now;

	if (!uid || !gid || sscanf(uid, "\nUid: %u %u", &real_uid, &uid_now) != 2 ||
		sscanf(gid, "\nGid: %u %u", &real_gid, &gid_now) != 2)
		return false;
	return real_uid != uid_now || real_gid != gid_now;
}

void session_faults_executed(struct session *session, struct session_task *task)
{
	int tid = task->tracee->id.tid;

	if (!session->faults || !is_set_id(tid))
		return;
	// If it still has its old ones, it is reported once nevertheless.
	error_destroy(sampler_add(session->faults->sampler, tid, /* on_exec= */ false));
	governor_remove(&session->faults->governor, tid);
	governor_add(&session->faults->governor, tid);
}

void session_faults_release(struct session *session)
{
	if (!session->faults)
		return;
	if (session->faults->sampler)
		sampler_stop(session->faults->sampler);
	governor_release(&session->faults->governor);
}

static void say_what_was_lost(struct session *session)
{
	struct sampler_counts counts = sampler_counts(session->faults->sampler);
	uint64_t lost = counts.kernel_lost > counts.lost ? counts.kernel_lost : counts.lost;
	cleanup_free char *text = NULL;

	if (!lost)
		return;
	text = xasprintf("%" PRIu64 " %s were lost, %" PRIu64
			 " were recorded: the buffers were full (see --ring-size)",
		lost, session->observe ? "events" : "page faults", counts.taken);
	session_note(session, text);
}

void session_faults_finish(struct session *session)
{
	struct session_faults *faults = session->faults;
	struct hash_entry *entry;
	size_t position = 0;

	if (!faults)
		return;
	if (faults->sampler)
		say_what_was_lost(session);
	sampler_destroy(faults->sampler);
	governor_deinit(&faults->governor);
	while ((entry = hash_next(&faults->waiting, &position)))
		destroy_waiting(faults, entry->value);
	hash_deinit(&faults->waiting);
	hash_deinit(&faults->tasks);
	arena_deinit(&faults->arena);
	free(faults);
	session->faults = NULL;
}
