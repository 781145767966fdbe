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

static bool take_regs(struct cursor *cursor, struct record *ret)
{
	uint64_t abi;

	if (!take_u64(cursor, &abi))
		return false;
	// A kernel thread has none.
	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	ret->word_size = abi == PERF_SAMPLE_REGS_ABI_32 ? 4 : 8;
	ret->regs = take(cursor, RECORD_REG_COUNT * sizeof(uint64_t));
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
	       (!layout->has_chain || take_chain(cursor, ret)) && take_regs(cursor, ret) &&
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
		return parse_fault(&cursor, layout, ret);
	case PERF_RECORD_LOST:
		ret->kind = RECORD_LOST;
		return parse_trailer(cursor, ret) && take_u64(&cursor, &ret->id) &&
		       take_u64(&cursor, &ret->lost);
	case PERF_RECORD_COMM:
		if (header->misc & PERF_RECORD_MISC_COMM_EXEC)
			ret->kind = RECORD_EXEC;
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
			arena_copy(arena, record->regs, RECORD_REG_COUNT * sizeof(*record->regs));
	if (record->stack)
		copy->stack = arena_copy(arena, record->stack, record->stack_size);
	return copy;
}
