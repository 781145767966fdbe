// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/kernel_stack.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "perf/kallsyms.h"
#include "unit.h"

static struct kallsyms *table_of(const char *text)
{
	return kallsyms_create(xstrdup(text), strlen(text));
}

static const char text[] = "ffffffff81000000 T _text\n"
			   "ffffffff81000000 t another_name\n"
			   "ffffffff81000100 t vfs_read\n"
			   "ffffffff81000200 D some_data\n"
			   "ffffffff81000300 W weak_one\n"
			   "ffffffffc0000000 t ext4_read\t[ext4]\n"
			   "ffffffffc0000080 t last\t[ext4]\n";

static void expect(const struct kallsyms *table, uint64_t address, const char *function,
	uint64_t offset, const char *module)
{
	struct kernel_frame frame = kernel_frame_at(table, address, /* is_return= */ false);

	assert_int_equal(frame.address, address);
	assert_string_equal(frame.function, function);
	assert_int_equal(frame.offset, offset);
	if (module)
		assert_string_equal(frame.module, module);
	else
		assert_null(frame.module);
}

CASE(functions_by_address)
{
	struct kallsyms *table = table_of(text);

	assert_int_equal(kallsyms_count(table), 6);
	expect(table, 0xffffffff81000000, "_text", 0, NULL);
	expect(table, 0xffffffff810000ff, "_text", 0xff, NULL);
	expect(table, 0xffffffff81000100, "vfs_read", 0, NULL);
	// Data do not end a function's reach, nor do they have names here.
	expect(table, 0xffffffff81000210, "vfs_read", 0x110, NULL);
	expect(table, 0xffffffff81000301, "weak_one", 1, NULL);
	expect(table, 0xffffffffc0000010, "ext4_read", 0x10, "ext4");
	assert_null(kernel_frame_at(table, 0xffffffff80ffffff, false).function);
	kallsyms_destroy(table);
}

CASE(a_call_as_the_last_instruction_belongs_to_its_function)
{
	struct kallsyms *table = table_of(text);
	struct kernel_frame frame = kernel_frame_at(table, 0xffffffff81000300, true);

	assert_string_equal(frame.function, "vfs_read");
	assert_int_equal(frame.offset, 0x200);
	kallsyms_destroy(table);
}

CASE(hidden_addresses_make_an_empty_table)
{
	struct kallsyms *table = table_of("0000000000000000 T _text\n0000000000000000 t f\n");

	assert_int_equal(kallsyms_count(table), 0);
	assert_null(kernel_frame_at(table, 0xffffffff81000000, false).function);
	kallsyms_destroy(table);
}

CASE(lines_that_are_none)
{
	struct kallsyms *table = table_of("\nxyz\nffffffff81000000\nffffffff81000000 T\n"
					  "ffffffff81000000 T ok\t\nffffffff81000008 t no_end");

	assert_int_equal(kallsyms_count(table), 1);
	expect(table, 0xffffffff81000000, "ok", 0, NULL);
	kallsyms_destroy(table);
	table = kallsyms_create(NULL, 0);
	assert_int_equal(kallsyms_count(table), 0);
	kallsyms_destroy(table);
}

CASE(the_kernels_part_of_a_chain)
{
	static const uint64_t chain[] = {PERF_CONTEXT_KERNEL, 0xffffffff81000108,
		0xffffffffc0000081, PERF_CONTEXT_USER, 0x401000, 0x402000};
	struct kallsyms *table = table_of(text);
	struct arena arena = {0};
	struct kernel_stack stack = kernel_stack_from_chain(table, chain, 6, &arena);

	assert_int_equal(stack.count, 2);
	assert_string_equal(stack.frames[0].function, "vfs_read");
	assert_string_equal(stack.frames[1].function, "last");
	assert_string_equal(stack.frames[1].module, "ext4");
	stack = kernel_stack_from_chain(NULL, chain, 2, &arena);
	assert_int_equal(stack.count, 1);
	assert_null(stack.frames[0].function);
	arena_deinit(&arena);
	kallsyms_destroy(table);
}

CASE(the_stack_of_a_sleeping_task)
{
	static const char sleeping[] = "[<0>] do_nanosleep+0x71/0x170\n"
				       "[<0>] ext4_wait+0x1/0x2 [ext4]\n"
				       "[<0>] entry_SYSCALL_64_after_hwframe+0x76/0x7e\n";
	struct arena arena = {0};
	struct kernel_stack stack = kernel_stack_parse(sleeping, strlen(sleeping), &arena);

	assert_int_equal(stack.count, 3);
	assert_string_equal(stack.frames[0].function, "do_nanosleep");
	assert_int_equal(stack.frames[0].offset, 0x71);
	assert_int_equal(stack.frames[0].address, 0);
	assert_null(stack.frames[0].module);
	assert_string_equal(stack.frames[1].module, "ext4");
	arena_deinit(&arena);
}

CASE(what_belongs_to_the_tracers_stop_is_left_out)
{
	static const char stopped[] = "[<0>] ptrace_stop.part.0+0x100/0x200\n"
				      "[<0>] ptrace_do_notify+0x8f/0xc0\n"
				      "[<0>] ptrace_notify+0x4c/0x70\n"
				      "[<0>] syscall_exit_work+0xe5/0x120\n"
				      "[<0>] do_syscall_64+0x1f3/0x280\n";
	struct arena arena = {0};
	struct kernel_stack stack = kernel_stack_parse(stopped, strlen(stopped), &arena);

	assert_int_equal(stack.count, 1);
	assert_string_equal(stack.frames[0].function, "do_syscall_64");
	arena_deinit(&arena);
}

CASE(noise_is_no_stack)
{
	static const char noise[] = "[<0>] \n[<0>]\nx\n[ ] +\n[<0>] f+\n[<0>] g+0x/0x [";
	struct arena arena = {0};
	struct kernel_stack stack = kernel_stack_parse(noise, strlen(noise), &arena);

	for (size_t i = 0; i < stack.count; i++)
		assert_non_null(stack.frames[i].function);
	stack = kernel_stack_parse("", 0, &arena);
	assert_int_equal(stack.count, 0);
	arena_deinit(&arena);
}

RUN_CASES(ADD(functions_by_address), ADD(a_call_as_the_last_instruction_belongs_to_its_function),
	ADD(hidden_addresses_make_an_empty_table), ADD(lines_that_are_none),
	ADD(the_kernels_part_of_a_chain), ADD(the_stack_of_a_sleeping_task),
	ADD(what_belongs_to_the_tracers_stop_is_left_out), ADD(noise_is_no_stack));
