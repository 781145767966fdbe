// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/record.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "unit.h"

enum { REG_COUNT = 17 };

static const struct record_layout plain = {.reg_count = REG_COUNT};
static const struct record_layout full = {
	.has_chain = true, .reg_count = REG_COUNT, .has_stack = true};

/** A record under construction. */
struct maker {
	union {
		struct perf_event_header header;
		uint8_t bytes[4096];
	};
};

static void begin(struct maker *maker, uint32_t type, uint16_t misc)
{
	memset(maker, 0, sizeof(*maker));
	maker->header.type = type;
	maker->header.misc = misc;
	maker->header.size = sizeof(maker->header);
}

static void put(struct maker *maker, uint64_t value)
{
	memcpy(maker->bytes + maker->header.size, &value, sizeof(value));
	maker->header.size += sizeof(value);
}

static void put_u32(struct maker *maker, uint32_t value)
{
	memcpy(maker->bytes + maker->header.size, &value, sizeof(value));
	maker->header.size += sizeof(value);
}

static void put_pids(struct maker *maker, uint32_t pid, uint32_t tid)
{
	put(maker, (uint64_t)tid << 32 | pid);
}

static void put_regs(struct maker *maker, uint64_t abi)
{
	put(maker, abi);
	for (uint64_t i = 0; abi && i < REG_COUNT; i++)
		put(maker, 0x100 + i);
}

static void begin_fault(struct maker *maker, uint16_t mode)
{
	begin(maker, PERF_RECORD_SAMPLE, mode);
	put(maker, 7);
	put(maker, 0x401000);
	put_pids(maker, 10, 11);
	put(maker, 123456789);
	put(maker, 0x7fff0000);
}

CASE(a_fault_without_stack)
{
	struct maker maker;
	struct record record;

	begin_fault(&maker, PERF_RECORD_MISC_USER);
	put_regs(&maker, PERF_SAMPLE_REGS_ABI_64);
	assert_true(record_parse(&maker.header, &plain, &record));
	assert_int_equal(record.kind, RECORD_FAULT);
	assert_int_equal(record.id, 7);
	assert_int_equal(record.ip, 0x401000);
	assert_int_equal(record.pid, 10);
	assert_int_equal(record.tid, 11);
	assert_int_equal(record.time, 123456789);
	assert_int_equal(record.address, 0x7fff0000);
	assert_false(record.in_kernel);
	assert_int_equal(record.word_size, 8);
	assert_int_equal(record.regs[8], 0x108);
	assert_int_equal(record.regs[REG_COUNT - 1], 0x110);
	assert_null(record.stack);
}

static void make_full(struct maker *maker)
{
	begin_fault(maker, PERF_RECORD_MISC_KERNEL);
	put(maker, 3);
	put(maker, PERF_CONTEXT_KERNEL);
	put(maker, 0xffffffff81000000);
	put(maker, PERF_CONTEXT_USER);
	put_regs(maker, PERF_SAMPLE_REGS_ABI_32);
	put(maker, 32);
	for (unsigned i = 0; i < 4; i++)
		put(maker, 0x1111111111111111 * i);
	put(maker, 24);
}

CASE(a_fault_with_all)
{
	struct maker maker;
	struct record record;

	make_full(&maker);
	assert_true(record_parse(&maker.header, &full, &record));
	assert_true(record.in_kernel);
	assert_int_equal(record.chain_count, 3);
	assert_int_equal(record.chain[1], 0xffffffff81000000);
	assert_int_equal(record.word_size, 4);
	// Of the room for 32 bytes, 24 were filled.
	assert_int_equal(record.stack_size, 24);
	assert_int_equal(record.stack[8], 0x11);
}

CASE(a_kernel_thread_has_no_registers)
{
	struct maker maker;
	struct record record;

	begin_fault(&maker, PERF_RECORD_MISC_KERNEL);
	put(&maker, 0);
	put_regs(&maker, PERF_SAMPLE_REGS_ABI_NONE);
	put(&maker, 0);
	assert_true(record_parse(&maker.header, &full, &record));
	assert_null(record.regs);
	assert_null(record.stack);
	assert_int_equal(record.chain_count, 0);
}

CASE(every_shorter_record_is_refused)
{
	struct maker maker;
	struct record record;
	uint16_t size;

	make_full(&maker);
	size = maker.header.size;
	for (uint16_t i = sizeof(maker.header); i < size; i++) {
		struct perf_event_header *copy = malloc(i);

		memcpy(copy, maker.bytes, i);
		copy->size = i;
		assert_false(record_parse(copy, &full, &record));
		free(copy);
	}
}

CASE(counts_beyond_the_record_are_refused)
{
	struct maker maker;
	struct record record;

	begin_fault(&maker, 0);
	put(&maker, UINT64_MAX / 8 + 2);
	put(&maker, 0);
	assert_false(record_parse(&maker.header, &full, &record));

	make_full(&maker);
	// More stack bytes filled than there is room for.
	memcpy(maker.bytes + maker.header.size - 8, &(uint64_t){33}, 8);
	assert_false(record_parse(&maker.header, &full, &record));
}

static void put_trailer(struct maker *maker)
{
	put_pids(maker, 20, 21);
	put(maker, 999);
	put(maker, 5);
}

CASE(calls)
{
	const struct record_layout enter = {.kind = RECORD_ENTER, .regs = RECORD_REGS_WORD};
	const struct record_layout leave = {.kind = RECORD_LEAVE, .regs = RECORD_REGS_NONE};
	struct maker maker;
	struct record record;

	begin(&maker, PERF_RECORD_SAMPLE, 0);
	put(&maker, 5);
	put_pids(&maker, 20, 21);
	put(&maker, 999);
	// 68 bytes of data: common fields, number, six arguments, padding.
	put_u32(&maker, 68);
	put(&maker, 0x15000001bb);
	put(&maker, 257);
	for (uint64_t i = 0; i < 6; i++)
		put(&maker, 100 + i);
	put_u32(&maker, 0);
	put(&maker, PERF_SAMPLE_REGS_ABI_32);
	put(&maker, 1);
	assert_int_equal(record_event(&maker.header), 5);
	assert_true(record_parse(&maker.header, &enter, &record));
	assert_int_equal(record.kind, RECORD_ENTER);
	assert_int_equal(record.tid, 21);
	assert_int_equal(record.time, 999);
	assert_int_equal(record.number, 257);
	assert_int_equal(record.args[0], 100);
	assert_int_equal(record.args[5], 105);
	assert_int_equal(record.word_size, 4);
	assert_null(record.regs);

	begin(&maker, PERF_RECORD_SAMPLE, 0);
	put(&maker, 6);
	put_pids(&maker, 20, 21);
	put(&maker, 1000);
	put_u32(&maker, 28);
	put(&maker, 0x15000001ba);
	put(&maker, 257);
	put(&maker, (uint64_t)-2);
	put_u32(&maker, 0);
	assert_true(record_parse(&maker.header, &leave, &record));
	assert_int_equal(record.kind, RECORD_LEAVE);
	assert_int_equal((int64_t)record.args[0], -2);
	// The same bytes are not the begin of a call.
	assert_false(record_parse(&maker.header, &enter, &record));
	assert_false(record_parse(&maker.header, NULL, &record));
}

CASE(what_becomes_of_tasks)
{
	struct maker maker;
	struct record record;

	begin(&maker, PERF_RECORD_FORK, 0);
	put_pids(&maker, 30, 20);
	put_pids(&maker, 31, 21);
	put(&maker, 999);
	put_trailer(&maker);
	assert_true(record_parse(&maker.header, NULL, &record));
	assert_int_equal(record.kind, RECORD_BORN);
	assert_int_equal(record.pid, 30);
	assert_int_equal(record.tid, 31);
	assert_int_equal(record.parent_pid, 20);
	assert_int_equal(record.parent, 21);

	begin(&maker, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT);
	put_trailer(&maker);
	assert_true(record_parse(&maker.header, NULL, &record));
	assert_int_equal(record.kind, RECORD_SLEEPS);

	begin(&maker, PERF_RECORD_MMAP2, 0);
	put_pids(&maker, 20, 21);
	put(&maker, 0x400000);
	put(&maker, 0x2000);
	put(&maker, 0x1000);
	put_pids(&maker, 8, 1);
	put(&maker, 1234);
	put(&maker, 0);
	put_pids(&maker, 5, 2);
	put(&maker, 0x612f);
	put_trailer(&maker);
	assert_true(record_parse(&maker.header, NULL, &record));
	assert_int_equal(record.kind, RECORD_MAP);
	assert_int_equal(record.map.start, 0x400000);
	assert_int_equal(record.map.length, 0x2000);
	assert_int_equal(record.map.offset, 0x1000);
	assert_int_equal(record.map.device_major, 8);
	assert_int_equal(record.map.inode, 1234);
	assert_int_equal(record.map.protection, 5);
	assert_string_equal(record.name, "/a");
}

CASE(lost_records_and_executed_programs)
{
	struct maker maker;
	struct record record;

	begin(&maker, PERF_RECORD_LOST, 0);
	put(&maker, 77);
	put(&maker, 4711);
	put_trailer(&maker);
	assert_true(record_parse(&maker.header, &plain, &record));
	assert_int_equal(record.kind, RECORD_LOST);
	assert_int_equal(record.lost, 4711);
	assert_int_equal(record.id, 77);
	assert_int_equal(record.tid, 21);
	assert_int_equal(record.time, 999);

	begin(&maker, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put_pids(&maker, 20, 21);
	put(&maker, 0x6f6c6c6568);
	put_trailer(&maker);
	assert_true(record_parse(&maker.header, &plain, &record));
	assert_int_equal(record.kind, RECORD_EXEC);
	assert_string_equal(record.name, "hello");

	begin(&maker, PERF_RECORD_COMM, 0);
	put_pids(&maker, 20, 21);
	put(&maker, 0x6f6c6c6568);
	put_trailer(&maker);
	assert_true(record_parse(&maker.header, NULL, &record));
	assert_int_equal(record.kind, RECORD_COMM);
	assert_int_equal(record.tid, 21);

	begin(&maker, PERF_RECORD_THROTTLE, 0);
	assert_true(record_parse(&maker.header, &plain, &record));
	assert_int_equal(record.kind, RECORD_OTHER);
}

CASE(a_copy_needs_nothing_of_the_record)
{
	struct maker maker;
	struct arena arena = {0};
	struct record record, *copy;

	make_full(&maker);
	assert_true(record_parse(&maker.header, &full, &record));
	copy = record_copy(&record, &arena);
	memset(&maker, 0xff, sizeof(maker));
	assert_int_equal(copy->chain[0], PERF_CONTEXT_KERNEL);
	assert_int_equal(copy->regs[7], 0x107);
	assert_int_equal(copy->stack[23], 0x22);
	arena_deinit(&arena);
}

RUN_CASES(ADD(a_fault_without_stack), ADD(a_fault_with_all), ADD(a_kernel_thread_has_no_registers),
	ADD(every_shorter_record_is_refused), ADD(counts_beyond_the_record_are_refused), ADD(calls),
	ADD(what_becomes_of_tasks), ADD(lost_records_and_executed_programs),
	ADD(a_copy_needs_nothing_of_the_record));
