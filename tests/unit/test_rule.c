// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <string.h>

#include "memory_source.h"
#include "unwind/frame/arch_table.h"
#include "unwind/frame/expression.h"
#include "unwind/frame/rule.h"
#include "unwind/frame/stack_memory.h"

enum {
	STACK = 0x1000,
	RBX = 3,
	RBP = 6,
	RSP = 7,
	RA = 16,
};

/** A frame: rsp = STACK, rbp = STACK + 16, rbx known, rcx not. */
struct fixture {
	uint64_t words[4];
	struct memory_source memory;
	struct unwind_source source;
	struct stack_memory stack;
	struct frame_regs regs, caller;
	taddr cfa, failed;
};

static enum rule_result execute_on(
	const struct arch *arch, struct fixture *fixture, const struct rule *rule)
{
	const uint64_t words[] = {0x1111, 0x2222, 0x3333, 0x4444};
	unsigned budget = 100;
	enum rule_result result;

	*fixture = (struct fixture){.regs = {.pc = 0x5000}};
	memcpy(fixture->words, words, sizeof(words));
	fixture->memory = (struct memory_source){
		.start = STACK, .size = sizeof(words), .data = fixture->words};
	fixture->source = (struct unwind_source){&memory_source_ops, &fixture->memory};
	frame_regs_set(&fixture->regs, RSP, STACK);
	frame_regs_set(&fixture->regs, RBP, STACK + 16);
	frame_regs_set(&fixture->regs, RBX, 0xb);
	frame_regs_set(&fixture->regs, RA, 0x5000);
	stack_memory_begin(&fixture->stack, &fixture->source, STACK, 64);
	result = rule_execute(rule, arch, &fixture->regs, &fixture->stack, &budget,
		&fixture->caller, &fixture->cfa, &fixture->failed);
	stack_memory_deinit(&fixture->stack);
	return result;
}

static enum rule_result execute(struct fixture *fixture, const struct rule *rule)
{
	return execute_on(&arch_x86_64, fixture, rule);
}

CASE(usual)
{
	// CFA = rsp + 16; rbp saved at CFA-16, return address at CFA-8; rbx unchanged.
	static const struct rule rule = {.cfa_register = RSP,
		.cfa_offset = 16,
		.same = 1 << RBX,
		.count = 3,
		.registers = {
			{.number = RBP, .kind = RULE_CFA_MEMORY, .offset = -16},
			{.number = RSP, .kind = RULE_CFA_VALUE},
			{.number = RA, .kind = RULE_CFA_MEMORY, .offset = -8},
		}};
	struct fixture fixture;
	uint64_t value;

	assert_int_equal(execute(&fixture, &rule), RULE_OK);
	assert_int_equal(fixture.cfa, STACK + 16);
	assert_int_equal(fixture.caller.pc, 0x2222);
	assert_true(frame_regs_get(&fixture.caller, RBP, &value));
	assert_int_equal(value, 0x1111);
	assert_true(frame_regs_get(&fixture.caller, RSP, &value));
	assert_int_equal(value, STACK + 16);
	assert_true(frame_regs_get(&fixture.caller, RBX, &value));
	assert_int_equal(value, 0xb);
	// Registers without a rule are lost.
	assert_false(frame_regs_get(&fixture.caller, 0, &value));
}

CASE(in_another_register)
{
	static const struct rule rule = {.cfa_register = RBP,
		.cfa_offset = 8,
		.count = 1,
		.registers = {{.number = RA, .kind = RULE_REGISTER, .offset = RBX}}};
	struct fixture fixture;

	assert_int_equal(execute(&fixture, &rule), RULE_OK);
	assert_int_equal(fixture.cfa, STACK + 24);
	assert_int_equal(fixture.caller.pc, 0xb);
}

CASE(expressions)
{
	static const struct expression deref_rbp = {.count = 2,
		.ops = {{.atom = 0x76 /* DW_OP_breg6 */}, {.atom = 0x06 /* DW_OP_deref */}}};
	static const struct rule rule = {.cfa_expression = &deref_rbp,
		.count = 2,
		.registers = {
			{.number = RBX, .kind = RULE_EXPRESSION_VALUE, .expression = &deref_rbp},
			{.number = RA, .kind = RULE_CFA_VALUE, .offset = 1},
		}};
	struct fixture fixture;

	assert_int_equal(execute(&fixture, &rule), RULE_OK);
	assert_int_equal(fixture.cfa, 0x3333);
	assert_int_equal(fixture.caller.value[RBX], 0x3333);
	assert_int_equal(fixture.caller.pc, 0x3334);
}

CASE(failures)
{
	static const struct rule unreadable = {.cfa_register = RSP,
		.cfa_offset = 64,
		.count = 1,
		.registers = {{.number = RA, .kind = RULE_CFA_MEMORY, .offset = -8}}};
	static const struct rule unknown = {.cfa_register = 2};
	static const struct rule outermost = {.cfa_register = RSP, .is_outermost = true};
	static const struct rule no_address = {.cfa_register = RSP};
	// A register that cannot be read only matters when a later rule asks for it.
	static const struct rule lost = {.cfa_register = RSP,
		.cfa_offset = 8,
		.count = 2,
		.registers = {
			{.number = RBX, .kind = RULE_CFA_MEMORY, .offset = 1000},
			{.number = RA, .kind = RULE_CFA_MEMORY, .offset = -8},
		}};
	struct fixture fixture;
	uint64_t value;

	assert_int_equal(execute(&fixture, &unreadable), RULE_UNREADABLE);
	assert_int_equal(fixture.failed, STACK + 56);
	assert_int_equal(execute(&fixture, &unknown), RULE_UNKNOWN_REGISTER);
	assert_int_equal(execute(&fixture, &outermost), RULE_OUTERMOST);
	assert_int_equal(execute(&fixture, &no_address), RULE_UNKNOWN_REGISTER);
	assert_int_equal(execute(&fixture, &lost), RULE_OK);
	assert_int_equal(fixture.caller.pc, 0x1111);
	assert_false(frame_regs_get(&fixture.caller, RBX, &value));
}

CASE(a_return_address_is_what_the_mask_leaves)
{
	static const struct rule rule = {.cfa_register = RSP,
		.cfa_offset = 16,
		.count = 1,
		.registers = {{.number = RA, .kind = RULE_CFA_MEMORY, .offset = -8}}};
	struct arch arch = arch_x86_64;
	struct fixture fixture;

	arch.code_mask = 0xff;
	assert_int_equal(execute_on(&arch, &fixture, &rule), RULE_OK);
	assert_int_equal(fixture.caller.pc, 0x22);
}

RUN_CASES(ADD(a_return_address_is_what_the_mask_leaves), ADD(usual), ADD(in_another_register),
	ADD(expressions), ADD(failures));
