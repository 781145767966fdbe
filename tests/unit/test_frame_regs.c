// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <string.h>
#include <sys/user.h>

#include "unwind/frame.h"
#include "unwind/frame/arch_table.h"
#include "unwind/frame/rule.h"
#include "unwind/frame_regs.h"

CASE(x86_64_registers)
{
	const struct user_regs_struct user = {.rax = 100,
		.rdx = 101,
		.rcx = 102,
		.rbx = 103,
		.rsi = 104,
		.rdi = 105,
		.rbp = 106,
		.rsp = 107,
		.r8 = 108,
		.r9 = 109,
		.r10 = 110,
		.r11 = 111,
		.r12 = 112,
		.r13 = 113,
		.r14 = 114,
		.r15 = 115,
		.rip = 116};
	struct frame_regs regs;

	assert_true(frame_regs_from_prstatus(&regs, &user, sizeof(user)));
	assert_int_equal(regs.arch, UNWIND_ARCH_X86_64);
	for (unsigned i = 0; i <= 16; i++) {
		uint64_t value;

		assert_true(frame_regs_get(&regs, i, &value));
		assert_int_equal(value, 100 + i);
	}
	assert_int_equal(regs.pc, 116);
}

CASE(i386_registers)
{
	// ebx ecx edx esi edi ebp eax ds es fs gs orig_eax eip cs eflags esp ss
	const uint32_t user[17] = {
		103, 101, 102, 106, 107, 105, 100, 0, 0, 0, 0, 3, 0xf7001234, 0, 0, 104, 0};
	struct frame_regs regs;

	assert_true(frame_regs_from_prstatus(&regs, user, sizeof(user)));
	assert_int_equal(regs.arch, UNWIND_ARCH_I386);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(regs.value[i], 100 + i);
	assert_int_equal(regs.pc, 0xf7001234);
	assert_false(frame_regs_get(&regs, 9, &regs.pc));
}

CASE(other_sizes)
{
	static const char nothing[300];
	struct frame_regs regs;

	assert_false(frame_regs_from_prstatus(&regs, nothing, 0));
	assert_false(frame_regs_from_prstatus(&regs, nothing, 100));
	assert_false(frame_regs_from_prstatus(&regs, nothing, 272));
}

// Bits of asm/perf_regs.h: AX BX CX DX SI DI BP SP IP are 0 to 8, R8 to R15 are 16 to 23.
CASE(registers_of_perf_samples)
{
	uint64_t values[17], sp;
	struct frame_regs regs;

	for (unsigned i = 0; i < 17; i++)
		values[i] = UINT64_C(0x100000100) + i;
	assert_int_equal(frame_regs_perf_mask(), 0xff01ff);
	frame_regs_from_perf(&regs, 8, values);
	assert_int_equal(regs.arch, UNWIND_ARCH_X86_64);
	assert_int_equal(regs.pc, 0x100000108);
	assert_int_equal(frame_regs_sp(&regs), 0x100000107);
	// %rdx is 1 for DWARF, %r15 is 15
	assert_int_equal(regs.value[1], 0x100000103);
	assert_int_equal(regs.value[15], 0x100000110);
	frame_regs_from_perf(&regs, 4, values);
	assert_int_equal(regs.arch, UNWIND_ARCH_I386);
	assert_int_equal(regs.pc, 0x108);
	assert_true(frame_regs_get(&regs, 4, &sp));
	assert_int_equal(sp, 0x107);
}

CASE(after_the_instruction_of_a_call)
{
	static const uint8_t fast[8] = {[6] = 0x0f, [7] = 0x05}, old[8] = {[6] = 0xcd, [7] = 0x80};
	static const uint8_t earlier[8] = {[5] = 0x0f, [6] = 0x05};
	struct frame_regs regs;

	frame_regs_init(&regs, UNWIND_ARCH_X86_64, 8, 0);
	assert_true(frame_regs_in_system_call(&regs, fast));
	assert_true(frame_regs_in_system_call(&regs, old));
	assert_false(frame_regs_in_system_call(&regs, earlier));
}

CASE(numbers_out_of_range)
{
	struct frame_regs regs = {.known = UINT64_MAX};
	uint64_t value;

	frame_regs_set(&regs, 17, 1);
	assert_false(frame_regs_get(&regs, 17, &value));
	assert_false(frame_regs_get(&regs, UINT32_MAX, &value));
}

CASE(lookup_addresses)
{
	assert_int_equal(frame_lookup_pc(FRAME_ADDRESS_SYSCALL, 0x1000), 0xffe);
	assert_int_equal(frame_lookup_pc(FRAME_ADDRESS_EXACT, 0x1000), 0x1000);
	assert_int_equal(frame_lookup_pc(FRAME_ADDRESS_RETURN, 0x1000), 0xfff);
}

static enum arch_call call_of(const char *bytes, size_t size, taddr *target)
{
	uint8_t code[ARCH_CALL_BYTES] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};

	memcpy(code + sizeof(code) - size, bytes, size);
	return arch_x86_64.call_before(code, 0x1000, target);
}

#define CALL_OF(bytes, target) call_of(bytes, sizeof(bytes) - 1, target)

CASE(calls_before_a_return_address)
{
	taddr target = 0;

	assert_int_equal(CALL_OF("\xe8\xfb\xff\xff\xff", &target), ARCH_CALL_DIRECT);
	assert_int_equal(target, 0xffb);
	// call *%rax; *(%rax); *8(%rax); *0x1234(%rip); *(%rax,%rbx,8); *8(%rsp); *%r12
	assert_int_equal(CALL_OF("\xff\xd0", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\xff\x10", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\xff\x50\x08", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\xff\x15\x34\x12\x00\x00", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\xff\x14\xd8", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\xff\x54\x24\x08", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\x41\xff\xd4", &target), ARCH_CALL_INDIRECT);
	assert_int_equal(CALL_OF("\xff\x14\xc5\x00\x10\x00\x00", &target), ARCH_CALL_INDIRECT);
	// jmp *%rax; ret; half a call
	assert_int_equal(CALL_OF("\xff\xe0", &target), ARCH_CALL_NONE);
	assert_int_equal(CALL_OF("\xc3", &target), ARCH_CALL_NONE);
	assert_int_equal(CALL_OF("\xff\x15\x34\x12", &target), ARCH_CALL_NONE);
}

CASE(i386_call_targets_wrap)
{
	const uint8_t code[ARCH_CALL_BYTES] = {0, 0, 0, 0xe8, 0x00, 0xf0, 0xff, 0xff};
	taddr target = 0;

	assert_int_equal(arch_i386.call_before(code, 0x800, &target), ARCH_CALL_DIRECT);
	assert_int_equal(target, 0xfffff800);
}

/** The rule at byte @at of @code, all of which can be read. */
static const struct rule *rule_at(
	const struct arch *arch, const uint8_t *code, size_t size, size_t at)
{
	return arch->signal_rule(code + at, at, size - at);
}

CASE(trampolines_without_rules)
{
	// As musl's __restore_rt and __restore.
	static const uint8_t x86_64[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	static const uint8_t i386[] = {0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80};

	assert_true(rule_at(&arch_x86_64, x86_64, sizeof(x86_64), 0)->is_signal_frame);
	assert_null(rule_at(&arch_x86_64, x86_64, sizeof(x86_64) - 1, 0));
	assert_null(rule_at(&arch_x86_64, i386, sizeof(i386), 0));
	assert_true(rule_at(&arch_i386, i386, sizeof(i386), 0)->is_signal_frame);
	assert_null(arch_i386.signal_rule(i386 + 1, 0, 6));
}

CASE(within_a_trampoline)
{
	static const uint8_t x86_64[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	static const uint8_t i386[] = {0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80};

	// At the call; behind it another function may begin.
	assert_true(rule_at(&arch_x86_64, x86_64, sizeof(x86_64), 7)->is_signal_frame);
	assert_null(rule_at(&arch_x86_64, x86_64, sizeof(x86_64), 9));
	// In the middle of an instruction; with the start not known.
	assert_null(rule_at(&arch_x86_64, x86_64, sizeof(x86_64), 3));
	assert_null(arch_x86_64.signal_rule(x86_64 + 7, 6, 2));
	// The signal number is off the stack by then: all that is saved is 4 bytes nearer.
	assert_int_equal(rule_at(&arch_i386, i386, sizeof(i386), 6)->registers[0].offset + 4,
		rule_at(&arch_i386, i386, sizeof(i386), 0)->registers[0].offset);
}

RUN_CASES(ADD(x86_64_registers), ADD(i386_registers), ADD(other_sizes),
	ADD(registers_of_perf_samples), ADD(after_the_instruction_of_a_call),
	ADD(numbers_out_of_range), ADD(lookup_addresses), ADD(calls_before_a_return_address),
	ADD(i386_call_targets_wrap), ADD(trampolines_without_rules), ADD(within_a_trampoline));
