// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include "memory_source.h"
#include "unwind/walk/fallback.h"

/** Registers of an architecture that nobody built: calls leave the return address in LINK. */
enum {
	LINK,
	FP,
	SP,
	REGISTERS,
};

static const taddr STACK = 0x10000;
static const taddr CODE = 0x10080;
/** Above the bits of an address. */
static const uint64_t SIGNATURE = UINT64_C(0xabcd) << 48;

/** A call is a byte. */
static enum arch_call call_before(const uint8_t *code, taddr address, taddr *target_ret)
{
	(void)address;
	(void)target_ret;
	return code[ARCH_CALL_BYTES - 1] == 0xca ? ARCH_CALL_INDIRECT : ARCH_CALL_NONE;
}

static bool no_jump(const uint8_t *code, taddr address, taddr *slot_ret)
{
	(void)code;
	(void)address;
	(void)slot_ret;
	return false;
}

static const struct rule *no_signal(const uint8_t *code, size_t before, size_t after)
{
	(void)code;
	(void)before;
	(void)after;
	return NULL;
}

static const struct arch link_arch = {
	.word = 8,
	.sp = SP,
	.fp = FP,
	.ra = LINK,
	.link = LINK,
	.register_count = REGISTERS,
	.frame_record = {.caller = 8, .return_address = 0, .cfa = 16},
	.code_mask = (UINT64_C(1) << 48) - 1,
	.call_before = call_before,
	.jump_slot = no_jump,
	.signal_rule = no_signal,
};

struct fixture {
	/** The stack and, from CODE on, code. */
	uint64_t words[32];
	struct frame_regs regs;
	struct fallback_result result;
};

static bool is_code(void *context, taddr address)
{
	(void)context;
	return address >= CODE && address < CODE + 128;
}

static bool is_generated(void *context, taddr address)
{
	(void)context;
	(void)address;
	return false;
}

static bool no_start(void *context, taddr *ret)
{
	(void)context;
	(void)ret;
	return false;
}

/** A task in code at CODE + 32; a call stands before CODE + 16. */
static struct fixture begin(void)
{
	struct fixture fixture = {.regs.pc = CODE + 32};

	((uint8_t *)fixture.words)[CODE - STACK + 15] = 0xca;
	frame_regs_set(&fixture.regs, SP, STACK);
	return fixture;
}

static bool find(struct fixture *fixture, bool is_innermost)
{
	struct memory_source memory = {
		.start = STACK, .size = sizeof(fixture->words), .data = fixture->words};
	struct unwind_source source = {&memory_source_ops, &memory};
	struct stack_memory stack = {0};
	struct fallback fallback = {
		&link_arch, &source, &stack, is_code, is_generated, no_start, NULL};
	bool is_found;

	stack_memory_begin(&stack, &source, STACK, sizeof(fixture->words));
	is_found = fallback_find(
		&fallback, &fixture->regs, is_innermost, /* has_code= */ true, &fixture->result);
	stack_memory_deinit(&stack);
	return is_found;
}

static uint64_t caller_register(const struct fixture *fixture, unsigned number)
{
	uint64_t value;

	assert_true(frame_regs_get(&fixture->result.regs, number, &value));
	return value;
}

CASE(a_leaf_returns_to_the_link_register)
{
	struct fixture fixture = begin();

	frame_regs_set(&fixture.regs, LINK, SIGNATURE | (CODE + 16));
	assert_true(find(&fixture, /* is_innermost= */ true));
	assert_int_equal(fixture.result.regs.pc, CODE + 16);
	assert_int_equal(fixture.result.origin, FRAME_ORIGIN_GUESS);
	// Nothing was pushed.
	assert_int_equal(fixture.result.cfa, STACK);
	assert_int_equal(caller_register(&fixture, SP), STACK);
}

CASE(what_stands_on_top_is_no_return_address_there)
{
	struct fixture fixture = begin();

	fixture.words[0] = CODE + 16;
	assert_false(find(&fixture, /* is_innermost= */ true));
}

CASE(the_link_register_of_an_outer_frame_says_nothing)
{
	struct fixture fixture = begin();

	frame_regs_set(&fixture.regs, LINK, CODE + 16);
	assert_false(find(&fixture, /* is_innermost= */ false));
}

CASE(a_frame_record_is_as_the_architecture_says)
{
	struct fixture fixture = begin();

	frame_regs_set(&fixture.regs, FP, STACK + 16);
	fixture.words[2] = SIGNATURE | (CODE + 16);
	fixture.words[3] = STACK + 64;
	assert_true(find(&fixture, /* is_innermost= */ false));
	assert_int_equal(fixture.result.regs.pc, CODE + 16);
	assert_int_equal(fixture.result.origin, FRAME_ORIGIN_FRAME_POINTER);
	assert_int_equal(fixture.result.cfa, STACK + 32);
	assert_int_equal(caller_register(&fixture, FP), STACK + 64);
}

CASE(a_frame_record_without_a_call_is_none)
{
	struct fixture fixture = begin();

	frame_regs_set(&fixture.regs, FP, STACK + 16);
	fixture.words[2] = CODE + 24;
	fixture.words[3] = STACK + 64;
	assert_false(find(&fixture, /* is_innermost= */ false));
}

RUN_CASES(ADD(a_leaf_returns_to_the_link_register),
	ADD(what_stands_on_top_is_no_return_address_there),
	ADD(the_link_register_of_an_outer_frame_says_nothing),
	ADD(a_frame_record_is_as_the_architecture_says),
	ADD(a_frame_record_without_a_call_is_none));
