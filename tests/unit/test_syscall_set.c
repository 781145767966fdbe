// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "schema/syscall_set.h"

#include "schema/syscall.h"
#include "unit.h"

// Numbers are those of asm/unistd_64.h and asm/unistd_32.h.
enum {
	OPENAT_64 = 257,
	OPENAT_32 = 295,
	STAT64_32 = 195,
	GETPID_64 = 39,
};

CASE(zeroed_is_empty)
{
	struct syscall_set set = {0};

	assert_false(syscall_set_has(&set, ABI_X86_64, 0));
	assert_false(syscall_set_has(&set, ABI_I386, SYSCALL_SET_NUMBERS - 1));
	assert_false(syscall_set_has(&set, ABI_I386, UINT64_MAX));
}

CASE(a_name_is_added_for_every_abi_that_has_it)
{
	struct syscall_set set = {0};

	assert_true(syscall_set_add_name(&set, "openat"));
	assert_true(syscall_set_has(&set, ABI_X86_64, OPENAT_64));
	assert_true(syscall_set_has(&set, ABI_I386, OPENAT_32));
	assert_false(syscall_set_has(&set, ABI_X86_64, OPENAT_32));
	assert_true(syscall_set_add_name(&set, "stat64"));
	assert_true(syscall_set_has(&set, ABI_I386, STAT64_32));
	assert_false(syscall_set_has(&set, ABI_X86_64, STAT64_32));
	assert_false(syscall_set_add_name(&set, "openat3"));
}

CASE(classes)
{
	struct syscall_set set = {0};

	syscall_set_add_classes(&set, CLASS_FILE);
	assert_true(syscall_set_has(&set, ABI_X86_64, OPENAT_64));
	assert_true(syscall_set_has(&set, ABI_I386, STAT64_32));
	assert_false(syscall_set_has(&set, ABI_X86_64, GETPID_64));
	syscall_set_add_classes(&set, 0);
	assert_false(syscall_set_has(&set, ABI_X86_64, GETPID_64));
	syscall_set_add_classes(&set, CLASS_PURE);
	assert_true(syscall_set_has(&set, ABI_X86_64, GETPID_64));
}

CASE(calls_within_others_bring_these)
{
	enum { SOCKETCALL_32 = 102, CONNECT_32 = 362 };
	struct syscall_set set = {0};

	assert_true(syscall_set_add_name(&set, "connect"));
	assert_true(syscall_set_has(&set, ABI_I386, CONNECT_32));
	assert_true(syscall_set_has(&set, ABI_I386, SOCKETCALL_32));
	assert_false(syscall_set_has(&set, ABI_X86_64, SOCKETCALL_32));
	syscall_set_invert(&set);
	assert_false(syscall_set_has(&set, ABI_I386, CONNECT_32));
	assert_true(syscall_set_has(&set, ABI_I386, SOCKETCALL_32));
}

CASE(inversion_includes_numbers_nobody_knows)
{
	struct syscall_set set = {0};

	syscall_set_add(&set, ABI_X86_64, OPENAT_64);
	syscall_set_add(&set, ABI_X86_64, UINT64_MAX);
	syscall_set_invert(&set);
	assert_false(syscall_set_has(&set, ABI_X86_64, OPENAT_64));
	assert_true(syscall_set_has(&set, ABI_I386, OPENAT_64));
	assert_true(syscall_set_has(&set, ABI_X86_64, 999));
	assert_true(syscall_set_has(&set, ABI_X86_64, UINT64_MAX));
	syscall_set_invert(&set);
	assert_true(syscall_set_has(&set, ABI_X86_64, OPENAT_64));
	assert_false(syscall_set_has(&set, ABI_X86_64, UINT64_MAX));
}

CASE(full)
{
	struct syscall_set set = {0};

	syscall_set_fill(&set);
	assert_true(syscall_set_has(&set, ABI_I386, SYSCALL_SET_NUMBERS - 1));
	assert_true(syscall_set_has(&set, ABI_X86_64, SYSCALL_SET_NUMBERS));
	syscall_set_invert(&set);
	assert_false(syscall_set_has(&set, ABI_X86_64, 0));
}

RUN_CASES(ADD(zeroed_is_empty), ADD(a_name_is_added_for_every_abi_that_has_it), ADD(classes),
	ADD(calls_within_others_bring_these), ADD(inversion_includes_numbers_nobody_knows),
	ADD(full));
