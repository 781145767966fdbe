// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "event/event.h"
#include "event/fault.h"
#include "filter/query.h"
#include "perf/sampler.h"
#include "session/clock.h"
#include "session/faults_internal.h"
#include "session/internal.h"
#include "session/memory.h"
#include "session/summaries.h"
#include "trace/tracee.h"
#include "unwind/unwind.h"

static void fill_mapping(struct event_fault *fault, const struct unwind_map *map)
{
	fault->is_mapped = map;
	if (!map)
		return;
	fault->is_executable = map->is_executable;
	fault->map_name = map->name;
	fault->path = map->path;
	fault->file_offset = fault->address - map->start + map->offset;
}

static bool is_wanted(const struct query *query, const struct unwind_map *map)
{
	if (!query->paths.patterns.count)
		return true;
	return map && map->path && path_set_has(&query->paths, map->path);
}

// Its strings are the table's.
static void fill_kernel(struct session *session, const struct record *record,
	struct event_fault *fault, struct kernel_stack *ret)
{
	const struct kallsyms *symbols = session_kernel_symbols(session);

	fault->kernel_code = kernel_frame_at(symbols, record->ip, /* is_return= */ false);
	if (record->chain)
		*ret = kernel_stack_from_chain(
			symbols, record->chain, record->chain_count, &session->faults->arena);
}

void session_on_fault(
	struct session *session, struct session_task *task, const struct record *record)
{
	struct event_fault fault = {
		.is_major = sampler_is_major(session->faults->sampler, record),
		.in_kernel = record->in_kernel,
		.address = record->address,
	};
	struct event event = {.kind = EVENT_FAULT};
	struct unwind_stack stack;
	struct kernel_stack kernel = {0};
	const struct unwind_map *map =
		process_maps_find(&task->process->memory->maps, record->tid, record->address);

	if (session_is_full(session) || session_hides(session, task))
		return;
	if (!is_wanted(session->options->query, map))
		return;
	arena_reset(&session->faults->arena);
	session_task_event(task, &event);
	session_clock_at(record->time, &event.wall, &event.monotonic);
	event.task.tid = record->tid;
	event.fault = &fault;
	fill_mapping(&fault, map);
	if (fault.in_kernel)
		fill_kernel(session, record, &fault, &kernel);
	else
		session_sampled_code(session, task, record, &fault.code);
	if (session->options->stacks.every) {
		session_sampled_stack(session, task, record, &session->faults->arena, &stack);
		event.stack = &stack;
	}
	if (kernel.count)
		event.kernel = &kernel;
	if (!session_is_deep_enough(session, event.stack))
		return;
	outputs_event(&session->outputs, &event);
	session_summary_fault(session, &event);
	session_count_event(session);
}
