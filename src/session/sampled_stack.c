// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/sampled_stack.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/user.h>

#include "perf/record.h"
#include "proc/task.h"
#include "session/memory.h"
#include "session/stack_source.h"
#include "session/stacks.h"
#include "session/state.h"
#include "unwind/unwind.h"

/** Registers of a 32-bit task as PTRACE_GETREGSET gives them (linux/elfcore.h, i386). */
struct i386_regs {
	uint32_t bx, cx, dx, si, di, bp, ax, ds, es, fs, gs, orig_ax, ip, cs, flags, sp, ss;
};

/** A task as it was at a fault: the stack's bytes are the record's, the code's are its own. */
struct sampled_source {
	/** First, so that the callbacks for a living task can be used. */
	struct stack_source live;
	const struct record *record;
	const struct process_maps *maps;
	/** Empty unless the process is observed. */
	const struct recorded_maps *recorded;
};

static taddr stack_pointer(const struct record *record)
{
	return record->regs[RECORD_REG_SP];
}

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
	uint64_t offset = address - stack_pointer(record);

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

static bool load_x86_64(const uint64_t *from, struct frame_regs *ret)
{
	const uint64_t *r8 = &from[RECORD_REG_R8];
	struct user_regs_struct regs = {
		.rax = from[RECORD_REG_AX],
		.rbx = from[RECORD_REG_BX],
		.rcx = from[RECORD_REG_CX],
		.rdx = from[RECORD_REG_DX],
		.rsi = from[RECORD_REG_SI],
		.rdi = from[RECORD_REG_DI],
		.rbp = from[RECORD_REG_BP],
		.rsp = from[RECORD_REG_SP],
		.rip = from[RECORD_REG_IP],
		.r8 = r8[0],
		.r9 = r8[1],
		.r10 = r8[2],
		.r11 = r8[3],
		.r12 = r8[4],
		.r13 = r8[5],
		.r14 = r8[6],
		.r15 = r8[7],
	};

	return frame_regs_from_prstatus(ret, &regs, sizeof(regs));
}

static bool load_i386(const uint64_t *from, struct frame_regs *ret)
{
	struct i386_regs regs = {
		.bx = (uint32_t)from[RECORD_REG_BX],
		.cx = (uint32_t)from[RECORD_REG_CX],
		.dx = (uint32_t)from[RECORD_REG_DX],
		.si = (uint32_t)from[RECORD_REG_SI],
		.di = (uint32_t)from[RECORD_REG_DI],
		.bp = (uint32_t)from[RECORD_REG_BP],
		.ax = (uint32_t)from[RECORD_REG_AX],
		.ip = (uint32_t)from[RECORD_REG_IP],
		.sp = (uint32_t)from[RECORD_REG_SP],
	};

	return frame_regs_from_prstatus(ret, &regs, sizeof(regs));
}

static bool load_registers(const struct record *record, struct frame_regs *ret)
{
	if (!record->regs)
		return false;
	return record->word_size == 4 ? load_i386(record->regs, ret)
				      : load_x86_64(record->regs, ret);
}

static struct unwind_space *space_of(
	struct session *session, struct session_task *task, const struct record *record)
{
	return session_stack_space(session, task->process,
		record->word_size == 4 ? UNWIND_ARCH_I386 : UNWIND_ARCH_X86_64);
}

// The kernel works for the task: mostly in a call, else in an interrupt or to deliver a signal.
static enum frame_address address_kind(struct sampled_source *source)
{
	static const unsigned char calls[][2] = {{0x0f, 0x05}, {0xcd, 0x80}, {0x0f, 0x34}};
	unsigned char code[2];
	taddr pc = source->record->regs[RECORD_REG_IP];

	if (source->record->kind == RECORD_ENTER)
		return FRAME_ADDRESS_SYSCALL;
	if (!source->record->in_kernel || sampled_read(source, pc - 2, code, 2) != 2)
		return FRAME_ADDRESS_EXACT;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (memcmp(code, calls[i], 2) == 0)
			return FRAME_ADDRESS_SYSCALL;
	}
	return FRAME_ADDRESS_EXACT;
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
	mem_forget(&task->live.mem);
	return (struct sampled_source){
		.live = {.mem = &task->live.mem, .arena = arena},
		.record = record,
		.maps = &task->process->memory->maps,
		.recorded = &task->process->memory->recorded,
	};
}

void session_sampled_stack(struct session *session, struct session_task *task,
	const struct record *record, struct arena *arena, struct unwind_stack *ret)
{
	struct sampled_source context = source_of(task, record, arena);
	struct unwind_source source = {.ops = &sampled_ops, .context = &context};
	struct frame_regs regs;
	taddr *addresses;
	size_t count;

	*ret = (struct unwind_stack){.end = FRAME_END_NO_STATE};
	if (!load_registers(record, &regs))
		return;
	if (record->stack) {
		unwind_walk(space_of(session, task, record), &source, &regs, address_kind(&context),
			arena, ret);
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
