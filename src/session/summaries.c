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
#include "session/state.h"
#include "summary/count.h"
#include "summary/table.h"
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

// Nanoseconds the task has spent on processors.
static uint64_t cpu_time(const struct session_task *task)
{
	return task->source->ops->cpu_time ? task->source->ops->cpu_time(task->source, task) : 0;
}

void session_summary_entry(struct session *session, struct session_task *task)
{
	if (session->summary && !session->summary->options.wall)
		task->call.cpu = cpu_time(task);
}

void session_summary_exit(
	struct session *session, struct session_task *task, const struct event *event)
{
	uint64_t now;

	if (!session->summary)
		return;
	now = session->summary->options.wall ? 0 : cpu_time(task);
	summary_call(session->summary, event, now > task->call.cpu ? now - task->call.cpu : 0);
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
