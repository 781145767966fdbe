// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/summaries.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "event/event.h"
#include "event/fault.h"
#include "output/sink.h"
#include "proc/task.h"
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

// Nanoseconds the task has spent on processors, see schedstat in the kernel's documentation.
static uint64_t cpu_time(int tid)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "schedstat", &length);
	const char *cursor = text;
	uint64_t time;

	return text && parse_decimal_at(&cursor, &time) ? time : 0;
}

void session_summary_entry(struct session *session, struct session_task *task)
{
	if (session->summary && !session->summary->options.wall)
		task->cpu = cpu_time(task->tracee->id.tid);
}

void session_summary_exit(
	struct session *session, struct session_task *task, const struct event *event)
{
	uint64_t now;

	if (!session->summary)
		return;
	now = session->summary->options.wall ? 0 : cpu_time(task->tracee->id.tid);
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
