// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc/task_syscall.h"
#include "unit.h"

// The forms of proc_pid_syscall(5).
CASE(a_call)
{
	struct task_syscall call =
		task_syscall_parse("0 0x3 0x7ffd0010 0x400 0x4 0x5 0xffffffffffffffff "
				   "0x7ffd0000 0x7f0000401000\n");

	assert_int_equal(call.kind, TASK_SYSCALL_CALL);
	assert_int_equal(call.number, 0);
	assert_int_equal(call.args[0], 3);
	assert_int_equal(call.args[1], 0x7ffd0010);
	assert_true(call.args[5] == UINT64_MAX);
	assert_int_equal(call.sp, 0x7ffd0000);
	assert_int_equal(call.pc, 0x7f0000401000);
}

CASE(in_no_call)
{
	struct task_syscall call = task_syscall_parse("-1 0x7ffd0000 0x401000\n");

	assert_int_equal(call.kind, TASK_SYSCALL_NONE);
	assert_int_equal(call.sp, 0x7ffd0000);
	assert_int_equal(call.pc, 0x401000);
	assert_int_equal(task_syscall_parse("running\n").kind, TASK_SYSCALL_RUNNING);
}

CASE(damaged)
{
	static const char *const texts[] = {
		"", "-1", "7 0x1", "-2 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n", "x\n"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(task_syscall_parse(texts[i]).kind, TASK_SYSCALL_UNKNOWN);
}

CASE(gone)
{
	assert_int_equal(task_syscall_read(1 << 23).kind, TASK_SYSCALL_UNKNOWN);
	// The file is read by a call.
	assert_int_equal(task_syscall_read(getpid()).kind, TASK_SYSCALL_CALL);
	assert_int_equal(task_syscall_read(getpid()).number, SYS_read);
}

// As the kernel writes them: numbers of getauxval(3), here AT_SYSINFO_EHDR, AT_PHNUM, AT_NULL and
// AT_SYSINFO, AT_PHNUM, AT_NULL.
CASE(word_size_by_the_vector)
{
	const uint64_t wide[] = {33, 0x7fff12345000, 5, 13, 0, 0};
	const uint32_t narrow[] = {32, 0xf7f00000, 5, 11, 0, 0};

	assert_int_equal(task_auxv_word_size(wide, sizeof(wide)), 8);
	assert_int_equal(task_auxv_word_size(narrow, sizeof(narrow)), 4);
	assert_int_equal(task_auxv_word_size(NULL, 0), 8);
}

CASE(word_size_by_addresses)
{
	struct task_syscall call = {.kind = TASK_SYSCALL_CALL, .sp = 0x7ffd00000000};

	assert_int_equal(task_syscall_word_size(1 << 23, &call), 8);
	call.sp = 0;
	assert_int_equal(task_syscall_word_size(getpid(), &call), sizeof(long));
}

RUN_CASES(ADD(a_call), ADD(in_no_call), ADD(damaged), ADD(gone), ADD(word_size_by_the_vector),
	ADD(word_size_by_addresses));
