// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/summaries.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "event/event.h"
#include "event/fault.h"
#include "output/sink.h"
#include "perf/record.h"
#include "proc/schedstat.h"
#include "session/internal.h"
#include "summary/count.h"
#include "summary/table.h"
#include "trace/tracee.h"
#include "unwind/unwind.h"

void session_summary_start(struct session *session)
{
	const struct summary_options *options = &session->options->summary;

	if (!options->enabled)
		return;
	session->summary = xcalloc(1, sizeof(*session->summary));
	summary_init(session->summary, options);
}

bool session_summary_needs_switches(const struct session_options *options)
{
	return options->observe.enabled && options->summary.enabled && !options->summary.wall;
}

void session_summary_record(
	struct session *session, struct session_task *task, const struct record *record)
{
	bool stops = record->kind == RECORD_PREEMPTED || record->kind == RECORD_SLEEPS ||
		     record->kind == RECORD_GONE;

	if (!session->summary)
		return;
	// Two processors' records of the same moment may come in either order.
	if (stops && task->runs_since && record->time > task->runs_since)
		task->ran += record->time - task->runs_since;
	if (stops || record->kind == RECORD_BORN)
		task->runs_since = 0;
	else if (!task->runs_since)
		task->runs_since = record->time;
}

static uint64_t observed_time(const struct session *session, const struct session_task *task)
{
	uint64_t now = session->record->time;

	return task->ran +
	       (task->runs_since && now > task->runs_since ? now - task->runs_since : 0);
}

// Nanoseconds the task has spent on processors.
static uint64_t cpu_time(struct session *session, const struct session_task *task)
{
	struct schedstat account;

	if (session->options->observe.enabled)
		return session->record ? observed_time(session, task) : 0;
	return schedstat_read(&session->schedstat, task->tracee->id.tid, &account) ? account.ran
										   : 0;
}

void session_summary_entry(struct session *session, struct session_task *task)
{
	if (session->summary && !session->summary->options.wall)
		task->cpu = cpu_time(session, task);
}

void session_summary_exit(
	struct session *session, struct session_task *task, const struct event *event)
{
	uint64_t now;

	if (!session->summary)
		return;
	now = session->summary->options.wall ? 0 : cpu_time(session, task);
	summary_call(session->summary, event, now > task->cpu ? now - task->cpu : 0);
}

static const char *code_name(struct session *session, const struct event_fault *fault)
{
	const struct unwind_description *what;

	if (fault->in_kernel)
		return fault->kernel_code.function ? fault->kernel_code.function : "[kernel]";
	what = unwind_describe(session->unwind, &fault->code);
	if (what && what->count && what->locations[what->count - 1].function)
		return what->locations[what->count - 1].function;
	if (fault->code.module)
		return unwind_module_path(fault->code.module);
	return "[unknown]";
}

void session_summary_fault(struct session *session, const struct event *event)
{
	const struct event_fault *fault = event->fault;
	const char *file = "[nothing]";

	if (!session->summary)
		return;
	if (fault->is_mapped)
		file = fault->path ? fault->path : fault->map_name[0] ? fault->map_name : "[anon]";
	summary_fault(session->summary, fault->is_major, code_name(session, fault), file);
}

void session_summary_finish(struct session *session)
{
	struct buf text = {0};

	if (!session->summary)
		return;
	summary_print(session->summary, &text);
	sink_write(session->options->sink, text.data, text.length);
	buf_deinit(&text);
	summary_deinit(session->summary);
	free(session->summary);
	session->summary = NULL;
}
