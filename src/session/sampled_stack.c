// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/sampled_stack.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perf/record.h"
#include "proc/task.h"
#include "session/memory.h"
#include "session/stack_source.h"
#include "session/stacks.h"
#include "session/state.h"
#include "unwind/unwind.h"

/** A task as it was at a fault: the stack's bytes are the record's, the code's are its own. */
struct sampled_source {
	/** First, so that the callbacks for a living task can be used. */
	struct stack_source live;
	const struct record *record;
	struct frame_regs regs;
	const struct process_maps *maps;
	/** Empty unless the process is observed. */
	const struct recorded_maps *recorded;
};

// Memory that nobody writes to, or at least not as to a stack.
static bool is_steady(const struct sampled_source *source, taddr address)
{
	const struct unwind_map *map = process_maps_known(source->maps, address);

	return map && (map->is_executable || map->path || strcmp(map->name, "[vdso]") == 0);
}

static size_t sampled_read(void *context, taddr address, void *data, size_t size)
{
	struct sampled_source *source = context;
	const struct record *record = source->record;
	uint64_t offset = address - frame_regs_sp(&source->regs);

	if (offset < record->stack_size) {
		if (size > record->stack_size - offset)
			size = record->stack_size - (size_t)offset;
		memcpy(data, record->stack + offset, size);
		return size;
	}
	return is_steady(source, address) ? stack_source_read(context, address, data, size) : 0;
}

// As it was then, if that is known.
static char *sampled_maps(void *context, size_t *length_ret)
{
	struct sampled_source *source = context;
	char *text = recorded_maps_text(source->recorded, length_ret);

	return text ? text : stack_source_maps(context, length_ret);
}

// Where the files of a process are that is gone cannot be told: as ours, most likely.
static const char *sampled_root(void *context)
{
	struct sampled_source *source = context;

	return task_link(source->live.arena, source->live.mem->tid, "root")
		       ? stack_source_root(context)
		       : NULL;
}

static const struct unwind_source_ops sampled_ops = {
	.read = sampled_read,
	.maps = sampled_maps,
	.open_file = stack_source_open,
	.root = sampled_root,
	.open_perf_map = stack_source_perf_map,
	.start = stack_source_start,
};

static struct unwind_space *space_of(
	struct session *session, struct session_task *task, const struct record *record)
{
	return session_stack_space(session, task->process, unwind_arch_by_word(record->word_size));
}

// The kernel works for the task: mostly in a call, else in an interrupt or to deliver a signal.
static enum frame_address address_kind(struct sampled_source *source)
{
	uint8_t code[FRAME_REGS_CODE_BYTES];
	taddr pc = source->regs.pc;

	if (source->record->kind == RECORD_ENTER)
		return FRAME_ADDRESS_SYSCALL;
	if (!source->record->in_kernel ||
		sampled_read(source, pc - sizeof(code), code, sizeof(code)) != sizeof(code))
		return FRAME_ADDRESS_EXACT;
	return frame_regs_in_system_call(&source->regs, code) ? FRAME_ADDRESS_SYSCALL
							      : FRAME_ADDRESS_EXACT;
}

// The user's part of a call chain, without the kernel's marks.
static size_t user_chain(const struct record *record, struct arena *arena, taddr **ret)
{
	taddr *addresses = arena_alloc(arena, record->chain_count * sizeof(*addresses));
	bool in_user = false;
	size_t count = 0;

	for (size_t i = 0; i < record->chain_count; i++) {
		if (record->chain[i] >= PERF_CONTEXT_MAX)
			in_user = record->chain[i] == PERF_CONTEXT_USER;
		else if (in_user)
			addresses[count++] = record->chain[i];
	}
	*ret = addresses;
	return count;
}

static struct sampled_source source_of(
	struct session_task *task, const struct record *record, struct arena *arena)
{
	struct sampled_source source = {
		.live = {.mem = &task->live.mem, .arena = arena},
		.record = record,
		.maps = &task->process->memory->maps,
		.recorded = &task->process->memory->recorded,
	};

	mem_forget(&task->live.mem);
	if (record->regs)
		frame_regs_from_perf(&source.regs, record->word_size, record->regs);
	return source;
}

void session_sampled_stack(struct session *session, struct session_task *task,
	const struct record *record, struct arena *arena, struct unwind_stack *ret)
{
	struct sampled_source context = source_of(task, record, arena);
	struct unwind_source source = {.ops = &sampled_ops, .context = &context};
	taddr *addresses;
	size_t count;

	*ret = (struct unwind_stack){.end = FRAME_END_NO_STATE};
	if (!record->regs)
		return;
	if (record->stack) {
		unwind_walk(space_of(session, task, record), &source, &context.regs,
			address_kind(&context), arena, ret);
		return;
	}
	count = user_chain(record, arena, &addresses);
	unwind_call_chain(space_of(session, task, record), &source, addresses, count,
		address_kind(&context), arena, ret);
}

void session_sampled_code(struct session *session, struct session_task *task,
	const struct record *record, struct arena *arena, struct unwind_frame *ret)
{
	struct sampled_source context = source_of(task, record, arena);
	struct unwind_source source = {.ops = &sampled_ops, .context = &context};
	struct unwind_stack stack;

	unwind_call_chain(space_of(session, task, record), &source, &record->ip, 1,
		FRAME_ADDRESS_EXACT, arena, &stack);
	*ret = stack.frames[0];
}
