// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "schema/lookup.h"

#include <string.h>

#include "schema/const_set.h"
#include "schema/syscall.h"
#include "unit.h"

// Numbers are those of asm/unistd_64.h and asm/unistd_32.h.
static const struct {
	enum abi_id abi;
	uint64_t number;
	const char *name;
} known[] = {
	{ABI_X86_64, 0, "read"},
	{ABI_X86_64, 59, "execve"},
	{ABI_X86_64, 257, "openat"},
	{ABI_X86_64, 435, "clone3"},
	{ABI_I386, 0, "restart_syscall"},
	{ABI_I386, 3, "read"},
	{ABI_I386, 11, "execve"},
	{ABI_I386, 192, "mmap2"},
	{ABI_I386, 362, "connect"},
	{ABI_I386, 435, "clone3"},
};

CASE(by_number_and_by_name_are_inverse)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct syscall *call = syscall_by_number(known[i].abi, known[i].number);

		assert_non_null(call);
		assert_string_equal(call->name, known[i].name);
		assert_ptr_equal(syscall_by_name(known[i].abi, known[i].name), call);
	}
}

CASE(every_row_is_found)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		assert_true(count > 300);
		for (size_t i = 0; i < count; i++) {
			// Those with a made-up number are only made through others.
			if (calls[i].number < 900)
				assert_ptr_equal(
					syscall_by_number(abi, calls[i].number), &calls[i]);
			else
				assert_null(syscall_by_number(abi, calls[i].number));
			assert_ptr_equal(syscall_by_name(abi, calls[i].name), &calls[i]);
			assert_true(i == 0 || calls[i - 1].number < calls[i].number);
		}
	}
}

CASE(what_is_not_there)
{
	// Between 334 and 424 the x86-64 table has a gap; x32 numbers carry bit 30.
	assert_null(syscall_by_number(ABI_X86_64, 400));
	assert_null(syscall_by_number(ABI_X86_64, 1u << 30));
	assert_null(syscall_by_number(ABI_X86_64, UINT64_MAX));
	assert_null(syscall_by_number(ABI_I386, 500));
	assert_null(syscall_by_name(ABI_X86_64, "socketcall"));
	assert_null(syscall_by_name(ABI_X86_64, ""));
	assert_null(syscall_by_name(ABI_I386, "zzz"));
}

CASE(classes_as_users_spell_them)
{
	assert_int_equal(syscall_class_by_name("%file"), CLASS_FILE);
	assert_int_equal(syscall_class_by_name("file"), CLASS_FILE);
	assert_int_equal(syscall_class_by_name("%net"), CLASS_NETWORK);
	assert_int_equal(syscall_class_by_name("%network"), CLASS_NETWORK);
	assert_int_equal(syscall_class_by_name("%stat"), CLASS_STAT);
	assert_int_equal(syscall_class_by_name("%%stat"), CLASS_STAT_LIKE);
	assert_int_equal(syscall_class_by_name("%fstatfs"), CLASS_FSTATFS);
	assert_int_equal(syscall_class_by_name("%%statfs"), CLASS_STATFS_LIKE);
	assert_int_equal(syscall_class_by_name("%%file"), 0);
	assert_int_equal(syscall_class_by_name("%"), 0);
	assert_int_equal(syscall_class_by_name("nothing"), 0);
}

CASE(classes_of_calls)
{
	assert_int_equal(syscall_by_name(ABI_X86_64, "openat")->classes, CLASS_FILE | CLASS_DESC);
	assert_int_equal(syscall_by_name(ABI_X86_64, "stat")->classes,
		CLASS_FILE | CLASS_STAT | CLASS_STAT_LIKE);
	assert_int_equal(syscall_by_name(ABI_I386, "fstat64")->classes,
		CLASS_DESC | CLASS_FSTAT | CLASS_STAT_LIKE);
	assert_int_equal(syscall_by_name(ABI_X86_64, "getpid")->classes & CLASS_PURE, CLASS_PURE);
}

CASE(a_description_serves_all_abis_it_fits)
{
	const struct syscall *wide = syscall_by_name(ABI_X86_64, "openat");
	const struct syscall *narrow = syscall_by_name(ABI_I386, "openat");

	assert_non_null(wide->desc);
	assert_ptr_equal(wide->desc, narrow->desc);
	assert_int_equal(wide->desc->signature.arg_count, 4);
	assert_string_equal(wide->desc->signature.args[1].name, "path");
	// struct stat differs.
	assert_ptr_not_equal(
		syscall_by_name(ABI_X86_64, "stat")->desc, syscall_by_name(ABI_I386, "stat")->desc);
}

CASE(stat_of_i386_is_the_kernels)
{
	const struct syscall *call = syscall_by_name(ABI_I386, "stat64");
	const struct type *stat = call->desc->signature.args[1].type->target;

	// struct stat64 of asm/stat.h is 96 bytes, st_size stands at 44.
	assert_int_equal(stat->size[ABI_I386], 96);
	for (unsigned i = 0; i < stat->member_count; i++)
		if (strcmp(stat->members[i].name, "st_size") == 0)
			assert_int_equal(stat->members[i].offset[ABI_I386], 44);
}

// Numbers of i386.
enum { SOCKETCALL = 102, IPC = 117 };

CASE(calls_within_others)
{
	assert_true(syscall_is_outer(ABI_I386, SOCKETCALL));
	assert_true(syscall_is_outer(ABI_I386, IPC));
	assert_false(syscall_is_outer(ABI_I386, 3));
	assert_false(syscall_is_outer(ABI_X86_64, SOCKETCALL));
	// connect() got a number with Linux 4.3, accept() never did.
	assert_string_equal(syscall_within(ABI_I386, SOCKETCALL, 3)->name, "connect");
	assert_int_equal(syscall_within(ABI_I386, SOCKETCALL, 3)->number, 362);
	assert_string_equal(syscall_within(ABI_I386, SOCKETCALL, 5)->name, "accept");
	assert_string_equal(syscall_within(ABI_I386, IPC, 23)->name, "shmget");
	assert_string_equal(syscall_within(ABI_I386, IPC, 12)->name, "msgrcv");
	assert_null(syscall_within(ABI_I386, SOCKETCALL, 0));
	assert_null(syscall_within(ABI_I386, SOCKETCALL, UINT64_MAX));
}

CASE(sets_by_name)
{
	assert_string_equal(const_set_by_name("whence")->name, "whence");
	assert_string_equal(const_set_by_name("whence")->unknown, "SEEK_???");
	assert_null(const_set_by_name(""));
	assert_null(const_set_by_name("open_flag"));
}

// ksys_ipc() of ipc/syscall.c: version 0 of msgrcv has the buffer and the type in memory.
CASE(arguments_of_calls_within_calls)
{
	enum { BEHIND = SYSCALL_PLACE_BEHIND, WORD = 1 << SYSCALL_PLACE_WORD };
	static const uint8_t old[] = {1, 4 | BEHIND, 2, 4 | BEHIND | WORD, 3, SYSCALL_PLACE_NONE};
	static const uint8_t new[] = {1, 4, 2, 5, 3, SYSCALL_PLACE_NONE};
	struct syscall_inner inner;

	assert_true(syscall_inner(ABI_I386, IPC, 12, &inner));
	assert_memory_equal(inner.arguments, old, sizeof(old));
	assert_true(syscall_inner(ABI_I386, IPC, 1 << 16 | 12, &inner));
	assert_memory_equal(inner.arguments, new, sizeof(new));
	assert_int_equal(inner.result, SYSCALL_PLACE_NONE);
	assert_true(syscall_inner(ABI_I386, IPC, 21, &inner));
	assert_int_equal(inner.result, 3 | BEHIND);
	assert_true(syscall_inner(ABI_I386, SOCKETCALL, 3, &inner));
	assert_int_equal(inner.arguments[2], 1 | BEHIND | 2 * WORD);
	assert_false(syscall_inner(ABI_I386, SOCKETCALL, 1 << 16 | 3, &inner));
}

RUN_CASES(ADD(arguments_of_calls_within_calls), ADD(by_number_and_by_name_are_inverse),
	ADD(every_row_is_found), ADD(what_is_not_there), ADD(classes_as_users_spell_them),
	ADD(classes_of_calls), ADD(a_description_serves_all_abis_it_fits),
	ADD(stat_of_i386_is_the_kernels), ADD(calls_within_others), ADD(sets_by_name));
