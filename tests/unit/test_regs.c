// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "abi/regs.h"

#include <stddef.h>
#include <string.h>
#include <sys/user.h>

#include "abi/abi.h"
#include "unit.h"

// As the kernel fills them (asm/user_64.h), each register with a value of its own.
static struct regs wide_registers(void)
{
	struct user_regs_struct user;
	struct regs regs = {.size = sizeof(user)};

	for (size_t i = 0; i < sizeof(user) / sizeof(uint64_t); i++)
		memcpy((char *)&user + i * sizeof(uint64_t), &(uint64_t){i + 100},
			sizeof(uint64_t));
	user.rdi = 1;
	user.rsi = 2;
	user.rdx = 3;
	user.r10 = 4;
	user.r8 = 5;
	user.r9 = 6;
	user.rax = (uint64_t)-514;
	user.orig_rax = 7;
	user.rip = 8;
	user.rsp = 9;
	user.rbp = 10;
	user.rbx = 11;
	user.rcx = 12;
	memcpy(regs.bytes, &user, sizeof(user));
	return regs;
}

// As of a task that runs 32-bit code (asm/user_32.h): ebx ecx edx esi edi ebp eax, four segments,
// orig_eax eip cs eflags esp ss.
static struct regs narrow_registers(void)
{
	static const uint32_t user[17] = {
		1, 2, 3, 4, 5, 6, (uint32_t)-4, 0, 0, 0, 0, 7, 8, 0, 0, 0xfffffff0, 0};
	struct regs regs = {.size = sizeof(user)};

	memcpy(regs.bytes, user, sizeof(user));
	return regs;
}

CASE(roles_of_64_bit_code)
{
	const struct abi *abi = abi_get(ABI_X86_64);
	struct regs regs = wide_registers();

	assert_true(regs_are_of(&regs, abi));
	assert_ptr_equal(abi_by_regs(&regs), abi);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(regs_get(&regs, abi, REG_ARGUMENT + i), i + 1);
	assert_int_equal(regs_get(&regs, abi, REG_NUMBER), 7);
	assert_int_equal(regs_get(&regs, abi, REG_PC), 8);
	assert_int_equal(regs_get(&regs, abi, REG_SP), 9);
	assert_int_equal(regs_get(&regs, abi, REG_FP), 10);
	assert_int_equal(regs_get_signed(&regs, abi, REG_RESULT), -514);
	assert_int_equal(regs_get(&regs, abi, REG_LINK), 0);
}

CASE(roles_of_32_bit_code)
{
	const struct abi *abi = abi_get(ABI_I386);
	struct regs regs = narrow_registers();

	assert_ptr_equal(abi_by_regs(&regs), abi);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(regs_get(&regs, abi, REG_ARGUMENT + i), i + 1);
	assert_int_equal(regs_get(&regs, abi, REG_FP), 6);
	assert_int_equal(regs_get(&regs, abi, REG_NUMBER), 7);
	assert_int_equal(regs_get(&regs, abi, REG_PC), 8);
	assert_int_equal(regs_get(&regs, abi, REG_SP), 0xfffffff0);
	assert_int_equal(regs_get(&regs, abi, REG_RESULT), 0xfffffffc);
	assert_int_equal(regs_get_signed(&regs, abi, REG_RESULT), -4);
}

// int $0x80 in 64-bit code: the arguments are in rbx, rcx, rdx, rsi, rdi, rbp.
CASE(calls_of_32_bits_by_64_bit_code)
{
	const struct abi *abi = abi_get(ABI_I386);
	struct regs regs = wide_registers();
	const uint64_t arguments[] = {11, 12, 3, 2, 1, 10};

	assert_false(regs_are_of(&regs, abi));
	assert_true(regs_fit(&regs, abi));
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(regs_get(&regs, abi, REG_ARGUMENT + i), arguments[i]);
	assert_int_equal(regs_get(&regs, abi, REG_NUMBER), 7);
}

CASE(what_does_not_fit_is_zero_and_not_changed)
{
	const struct abi *abi = abi_get(ABI_X86_64);
	struct regs regs = narrow_registers(), before = regs;
	struct regs other = {.size = 272};

	assert_false(regs_fit(&regs, abi));
	assert_int_equal(regs_get(&regs, abi, REG_NUMBER), 0);
	regs_set(&regs, abi, REG_NUMBER, 1);
	assert_memory_equal(regs.bytes, before.bytes, sizeof(regs.bytes));
	assert_int_equal(regs.changed, 0);
	assert_null(abi_by_regs(&other));
}

// No more is stored than up to the last register that changed: segments stay as they are.
CASE(a_change_says_what_is_to_be_stored)
{
	const struct abi *abi = abi_get(ABI_X86_64);
	struct regs regs = wide_registers();
	struct user_regs_struct user;

	regs_set(&regs, abi, REG_RESULT, (uint64_t)-4);
	assert_int_equal(regs.changed, offsetof(struct user_regs_struct, rax) + 8);
	regs_set(&regs, abi, REG_PC, 6);
	regs_set(&regs, abi, REG_NUMBER, UINT64_MAX);
	assert_int_equal(regs.changed, offsetof(struct user_regs_struct, rip) + 8);
	memcpy(&user, regs.bytes, sizeof(user));
	assert_int_equal(user.rax, (uint64_t)-4);
	assert_int_equal(user.rip, 6);
	assert_int_equal(user.orig_rax, UINT64_MAX);
	assert_int_equal(user.rdi, 1);
}

RUN_CASES(ADD(roles_of_64_bit_code), ADD(roles_of_32_bit_code),
	ADD(calls_of_32_bits_by_64_bit_code), ADD(what_does_not_fit_is_zero_and_not_changed),
	ADD(a_change_says_what_is_to_be_stored));
