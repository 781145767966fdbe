// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/record.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/arena.h"

/** What is left of a record. */
struct cursor {
	const uint8_t *data;
	size_t left;
};

static const void *take(struct cursor *cursor, uint64_t size)
{
	const void *data = cursor->data;

	if (size > cursor->left)
		return NULL;
	cursor->data += size;
	cursor->left -= (size_t)size;
	return data;
}

static bool take_u64(struct cursor *cursor, uint64_t *ret)
{
	const void *data = take(cursor, sizeof(*ret));

	if (data)
		memcpy(ret, data, sizeof(*ret));
	return data;
}

static bool take_pids(struct cursor *cursor, struct record *ret)
{
	const void *data = take(cursor, 2 * sizeof(uint32_t));
	uint32_t ids[2];

	if (!data)
		return false;
	memcpy(ids, data, sizeof(ids));
	ret->pid = (int)ids[0];
	ret->tid = (int)ids[1];
	return true;
}

static bool take_chain(struct cursor *cursor, struct record *ret)
{
	uint64_t count;

	if (!take_u64(cursor, &count) || count > cursor->left / sizeof(uint64_t))
		return false;
	ret->chain_count = (size_t)count;
	ret->chain = take(cursor, count * sizeof(uint64_t));
	return true;
}

static bool take_regs(struct cursor *cursor, const struct record_layout *layout, struct record *ret)
{
	uint64_t abi;

	if (!take_u64(cursor, &abi))
		return false;
	// A kernel thread has none.
	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	ret->word_size = abi == PERF_SAMPLE_REGS_ABI_32 ? 4 : 8;
	if (layout->regs == RECORD_REGS_WORD)
		return take(cursor, sizeof(uint64_t));
	ret->regs = take(cursor, layout->reg_count * sizeof(uint64_t));
	ret->reg_count = layout->reg_count;
	return ret->regs;
}

static bool take_stack(struct cursor *cursor, struct record *ret)
{
	uint64_t size, used;
	const uint8_t *data;

	if (!take_u64(cursor, &size))
		return false;
	if (!size)
		return true;
	data = take(cursor, size);
	if (!data || !take_u64(cursor, &used) || used > size)
		return false;
	ret->stack = data;
	ret->stack_size = (size_t)used;
	return true;
}

static bool parse_fault(
	struct cursor *cursor, const struct record_layout *layout, struct record *ret)
{
	ret->kind = RECORD_FAULT;
	return take_u64(cursor, &ret->id) && take_u64(cursor, &ret->ip) && take_pids(cursor, ret) &&
	       take_u64(cursor, &ret->time) && take_u64(cursor, &ret->address) &&
	       (!layout->has_chain || take_chain(cursor, ret)) && take_regs(cursor, layout, ret) &&
	       (!layout->has_stack || take_stack(cursor, ret));
}

// The fields of raw_syscalls:sys_enter and sys_exit (include/trace/events/syscalls.h), behind
// the eight bytes that all tracepoints begin with: the number, then arguments or result.
static bool take_call(struct cursor *cursor, struct record *ret)
{
	size_t count = ret->kind == RECORD_ENTER ? 6 : 1;
	uint64_t common;
	const void *data = take(cursor, sizeof(uint32_t));
	struct cursor raw = *cursor;
	uint32_t size;

	if (!data)
		return false;
	memcpy(&size, data, sizeof(size));
	if (!take(cursor, size))
		return false;
	raw.left = size;
	if (!take_u64(&raw, &common) || !take_u64(&raw, &ret->number))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!take_u64(&raw, &ret->args[i]))
			return false;
	}
	return true;
}

static bool parse_call(
	struct cursor *cursor, const struct record_layout *layout, struct record *ret)
{
	ret->kind = layout->kind;
	return take_u64(cursor, &ret->id) && take_pids(cursor, ret) &&
	       take_u64(cursor, &ret->time) && take_call(cursor, ret) &&
	       (layout->regs == RECORD_REGS_NONE || take_regs(cursor, layout, ret)) &&
	       (!layout->has_stack || take_stack(cursor, ret));
}

// What all records but samples end with (sample_id_all): whose, when, of which event.
static bool parse_trailer(struct cursor cursor, struct record *ret)
{
	static const size_t size = 3 * sizeof(uint64_t);

	return take(&cursor, cursor.left > size ? cursor.left - size : 0) &&
	       take_pids(&cursor, ret) && take_u64(&cursor, &ret->time) &&
	       take_u64(&cursor, &ret->id);
}

// struct { u32 pid, tid; char comm[]; }
static bool parse_comm(struct cursor cursor, bool is_exec, struct record *ret)
{
	ret->kind = is_exec ? RECORD_EXEC : RECORD_COMM;
	if (!parse_trailer(cursor, ret) || !take_pids(&cursor, ret))
		return false;
	if (!memchr(cursor.data, 0, cursor.left))
		return false;
	ret->name = (const char *)cursor.data;
	return true;
}

// struct { u32 pid, tid; u64 addr, len, pgoff; u32 maj, min; u64 ino, ino_generation;
// u32 prot, flags; char filename[]; }
static bool parse_map(struct cursor cursor, struct record *ret)
{
	struct record_map *map = &ret->map;
	uint32_t device[2], access[2];
	uint64_t generation;
	const void *data;

	ret->kind = RECORD_MAP;
	if (!parse_trailer(cursor, ret) || !take_pids(&cursor, ret) ||
		!take_u64(&cursor, &map->start) || !take_u64(&cursor, &map->length) ||
		!take_u64(&cursor, &map->offset))
		return false;
	data = take(&cursor, sizeof(device));
	if (!data)
		return false;
	memcpy(device, data, sizeof(device));
	if (!take_u64(&cursor, &map->inode) || !take_u64(&cursor, &generation))
		return false;
	data = take(&cursor, sizeof(access));
	if (!data || !memchr(cursor.data, 0, cursor.left))
		return false;
	memcpy(access, data, sizeof(access));
	map->device_major = device[0];
	map->device_minor = device[1];
	map->protection = access[0];
	map->flags = access[1];
	ret->name = (const char *)cursor.data;
	return true;
}

// struct { u32 pid, ppid, tid, ptid; u64 time; }
static bool parse_task(struct cursor cursor, enum record_kind kind, struct record *ret)
{
	const void *data;
	uint32_t ids[4];

	ret->kind = kind;
	if (!parse_trailer(cursor, ret))
		return false;
	data = take(&cursor, sizeof(ids));
	if (!data)
		return false;
	memcpy(ids, data, sizeof(ids));
	ret->pid = (int)ids[0];
	ret->parent_pid = (int)ids[1];
	ret->tid = (int)ids[2];
	ret->parent = (int)ids[3];
	return true;
}

static enum record_kind switch_kind(const struct perf_event_header *header)
{
	if (!(header->misc & PERF_RECORD_MISC_SWITCH_OUT))
		return RECORD_RUNS;
	return header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? RECORD_PREEMPTED
								  : RECORD_SLEEPS;
}

uint64_t record_event(const struct perf_event_header *header)
{
	uint64_t id;

	if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof(*header) + sizeof(id))
		return 0;
	memcpy(&id, header + 1, sizeof(id));
	return id;
}

bool record_parse(const struct perf_event_header *header, const struct record_layout *layout,
	struct record *ret)
{
	struct cursor cursor = {(const uint8_t *)(header + 1), header->size - sizeof(*header)};
	unsigned mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	*ret = (struct record){
		.kind = RECORD_OTHER,
		.in_kernel = mode == PERF_RECORD_MISC_KERNEL,
	};
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		if (!layout)
			return false;
		return layout->kind == RECORD_FAULT ? parse_fault(&cursor, layout, ret)
						    : parse_call(&cursor, layout, ret);
	case PERF_RECORD_LOST:
		ret->kind = RECORD_LOST;
		return parse_trailer(cursor, ret) && take_u64(&cursor, &ret->id) &&
		       take_u64(&cursor, &ret->lost);
	case PERF_RECORD_COMM:
		return parse_comm(cursor, header->misc & PERF_RECORD_MISC_COMM_EXEC, ret);
	case PERF_RECORD_MMAP2:
		return parse_map(cursor, ret);
	case PERF_RECORD_FORK:
		return parse_task(cursor, RECORD_BORN, ret);
	case PERF_RECORD_EXIT:
		return parse_task(cursor, RECORD_GONE, ret);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		ret->kind = switch_kind(header);
		return parse_trailer(cursor, ret);
	default:
		return true;
	}
}

struct record *record_copy(const struct record *record, struct arena *arena)
{
	struct record *copy = arena_copy(arena, record, sizeof(*record));

	if (record->chain)
		copy->chain = arena_copy(
			arena, record->chain, record->chain_count * sizeof(*record->chain));
	if (record->regs)
		copy->regs =
			arena_copy(arena, record->regs, record->reg_count * sizeof(*record->regs));
	if (record->name)
		copy->name = arena_copy(arena, record->name, strlen(record->name) + 1);
	if (record->stack)
		copy->stack = arena_copy(arena, record->stack, record->stack_size);
	return copy;
}
