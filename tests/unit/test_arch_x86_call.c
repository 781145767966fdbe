// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Instructions as the manuals of the processors write them (Intel SDM volume 2, CALL, JMP).

#include "unit.h"

#include "unwind/frame/arch_x86_call.h"

enum { AT = 0x401000 };

static const struct {
	const char *what;
	uint8_t code[ARCH_CALL_BYTES];
	enum arch_call expected;
	taddr target;
} calls[] = {
	{"call .+0x10", {0, 0, 0, 0xe8, 0x10, 0, 0, 0}, ARCH_CALL_DIRECT, AT + 0x10},
	{"call .-0x10", {0, 0, 0, 0xe8, 0xf0, 0xff, 0xff, 0xff}, ARCH_CALL_DIRECT, AT - 0x10},
	{"call *%rax", {0, 0, 0, 0, 0, 0, 0xff, 0xd0}, ARCH_CALL_INDIRECT, 0},
	{"call *%r12", {0, 0, 0, 0, 0, 0x41, 0xff, 0xd4}, ARCH_CALL_INDIRECT, 0},
	{"call *8(%rbp)", {0, 0, 0, 0, 0, 0xff, 0x55, 8}, ARCH_CALL_INDIRECT, 0},
	{"call *0x100(%rip)", {0, 0, 0xff, 0x15, 0, 1, 0, 0}, ARCH_CALL_INDIRECT, 0},
	{"call *(%rax,%rbx,8)", {0, 0, 0, 0, 0, 0xff, 0x14, 0xd8}, ARCH_CALL_INDIRECT, 0},
	{"jmp *%rax", {0, 0, 0, 0, 0, 0, 0xff, 0xe0}, ARCH_CALL_NONE, 0},
	{"nop", {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, ARCH_CALL_NONE, 0},
};

CASE(calls_before_an_address)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		taddr target = 0;

		if (x86_call_before(calls[i].code, AT, &target) != calls[i].expected)
			fail_msg("%s", calls[i].what);
		if (calls[i].expected == ARCH_CALL_DIRECT)
			assert_int_equal(target, calls[i].target);
	}
}

CASE(jumps_of_the_linker)
{
	// jmp *0x2fe2(%rip)
	static const uint8_t plain[ARCH_STUB_BYTES] = {0xff, 0x25, 0xe2, 0x2f, 0, 0};
	// endbr64; bnd jmp *-0x10(%rip)
	static const uint8_t marked[ARCH_STUB_BYTES] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xf0, 0xff, 0xff, 0xff};
	// push $1, and jmp *0x2fe2(%rax)
	static const uint8_t push[ARCH_STUB_BYTES] = {0x68, 1, 0, 0, 0};
	static const uint8_t other[ARCH_STUB_BYTES] = {0xff, 0xa0, 0xe2, 0x2f, 0, 0};
	taddr slot = 0;

	assert_true(x86_64_jump_slot(plain, AT, &slot));
	assert_int_equal(slot, AT + 6 + 0x2fe2);
	assert_true(x86_64_jump_slot(marked, AT, &slot));
	assert_int_equal(slot, AT + 11 - 0x10);
	assert_true(i386_jump_slot(plain, AT, &slot));
	assert_int_equal(slot, 0x2fe2);
	assert_false(x86_64_jump_slot(push, AT, &slot));
	assert_false(x86_64_jump_slot(other, AT, &slot));
}

RUN_CASES(ADD(calls_before_an_address), ADD(jumps_of_the_linker));
