// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/on_fault.h"

#include "event/event.h"
#include "event/fault.h"
#include "filter/query.h"
#include "session/kernel_symbols.h"
#include "session/memory.h"
#include "session/state.h"
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
static void fill_kernel(struct session *session, const struct source_fault *fault,
	struct event_fault *event, struct kernel_stack *ret)
{
	const struct kallsyms *symbols = session_kernel_symbols(session);

	event->kernel_code = kernel_frame_at(symbols, fault->ip, /* is_return= */ false);
	if (fault->chain)
		*ret = kernel_stack_from_chain(
			symbols, fault->chain, fault->chain_count, &session->scratch.arena);
}

void session_on_fault(struct session *session, struct session_task *task,
	const struct session_source *source, const struct source_fault *seen)
{
	struct event_fault fault = {
		.is_major = seen->is_major,
		.in_kernel = seen->in_kernel,
		.address = seen->address,
	};
	struct event event = {.kind = EVENT_FAULT};
	struct unwind_stack stack;
	struct kernel_stack kernel = {0};
	const struct unwind_map *map =
		process_maps_find(&task->process->memory->maps, seen->tid, seen->address);

	if (session_is_full(session) || session_hides(session, task))
		return;
	if (!is_wanted(session->options->query, map))
		return;
	call_reset(&session->scratch);
	session_task_event(task, source, &event);
	event.task.tid = seen->tid;
	event.fault = &fault;
	fill_mapping(&fault, map);
	if (fault.in_kernel)
		fill_kernel(session, seen, &fault, &kernel);
	else
		source->ops->code(source, task, &session->scratch.arena, &fault.code);
	if (session->options->stacks.every &&
		source_stack(source, task, NULL, &session->scratch.arena, &stack))
		event.stack = &stack;
	if (kernel.count)
		event.kernel = &kernel;
	if (!session_is_deep_enough(session, event.stack))
		return;
	outputs_event(&session->outputs, &event);
	session_count_event(session);
}
