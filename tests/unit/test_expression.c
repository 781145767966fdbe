// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <dwarf.h>
#include <string.h>

#include "memory_source.h"
#include "unwind/frame/expression.h"
#include "unwind/frame/stack_memory.h"

enum { STACK = 0x1000 };

static const uint64_t stack[] = {0x1111, 0x2222, 0x3333};

/** What register r5 held at the entry of the function; nothing else is known. */
static bool entry_value(void *context, unsigned number, uint64_t *ret)
{
	(void)context;
	*ret = 0x55;
	return number == 5;
}

/** Evaluates @count operations on registers r0 = 10, r7 = STACK, CFA 0x2000, bias 0x100. */
static enum expression_result evaluate(
	enum unwind_arch arch, const struct expression_op *ops, size_t count, uint64_t *ret)
{
	struct memory_source memory = {.start = STACK, .size = sizeof(stack), .data = stack};
	const struct unwind_source source = {&memory_source_ops, &memory};
	struct expression *expression =
		xcalloc(1, sizeof(*expression) + count * sizeof(expression->ops[0]));
	struct stack_memory stack_memory = {0};
	struct frame_regs regs = {.arch = arch};
	unsigned budget = 1000;
	struct expression_state state = {.arch = arch_get(arch),
		.regs = &regs,
		.memory = &stack_memory,
		.cfa = 0x2000,
		.budget = &budget,
		.bias = 0x100,
		.entry_value = entry_value};
	enum expression_result result;

	frame_regs_set(&regs, 0, 10);
	frame_regs_set(&regs, 7, STACK);
	expression->count = count;
	memcpy(expression->ops, ops, count * sizeof(*ops));
	stack_memory_begin(&stack_memory, &source, STACK, 64);
	*ret = 0xdead;
	result = expression_evaluate(expression, &state, ret);
	stack_memory_deinit(&stack_memory);
	free(expression);
	return result;
}

#define OPS(...)                                                                                   \
	(const struct expression_op[]){__VA_ARGS__},                                               \
		sizeof((const struct expression_op[]){__VA_ARGS__}) / sizeof(struct expression_op)
#define OP(code)                                                                                   \
	{                                                                                          \
		.atom = DW_OP_##code                                                               \
	}
#define OP1(code, a)                                                                               \
	{                                                                                          \
		.atom = DW_OP_##code, .number = (uint64_t)(a)                                      \
	}
#define OP2(code, a, b)                                                                            \
	{                                                                                          \
		.atom = DW_OP_##code, .number = (uint64_t)(a), .number2 = (uint64_t)(b)            \
	}

#define EXPECT_ON(arch, value, ...)                                                                \
	do {                                                                                       \
		uint64_t result;                                                                   \
		assert_int_equal(evaluate(arch, OPS(__VA_ARGS__), &result), EXPRESSION_OK);        \
		assert_int_equal(result, (uint64_t)(value));                                       \
	} while (0)
#define EXPECT(value, ...) EXPECT_ON(UNWIND_ARCH_X86_64, value, __VA_ARGS__)
#define EXPECT_RESULT(expected, ...)                                                               \
	do {                                                                                       \
		uint64_t result;                                                                   \
		assert_int_equal(                                                                  \
			evaluate(UNWIND_ARCH_X86_64, OPS(__VA_ARGS__), &result), expected);        \
	} while (0)

CASE(constants_and_registers)
{
	EXPECT(7, OP(lit7));
	EXPECT(-3, OP1(const1s, -3));
	EXPECT(12, OP1(breg0, 2));
	EXPECT(STACK - 8, OP2(bregx, 7, -8));
	EXPECT(0x2000, OP(call_frame_cfa));
	EXPECT_RESULT(EXPRESSION_UNKNOWN_REGISTER, OP1(breg1, 0));
	EXPECT_RESULT(EXPRESSION_UNKNOWN_REGISTER, OP2(bregx, 1000, 0));
}

CASE(arithmetic)
{
	EXPECT(-1, OP(lit2), OP(lit3), OP(minus));
	EXPECT(-2, OP1(const1s, -7), OP(lit3), OP(div));
	EXPECT(1, OP(lit7), OP(lit3), OP(mod));
	EXPECT(-4, OP1(const1s, -7), OP(lit1), OP(shra));
	EXPECT(-1, OP1(const1s, -7), OP1(const1u, 200), OP(shra));
	EXPECT(0, OP(lit1), OP1(const1u, 64), OP(shl));
	EXPECT(5, OP1(const1s, -5), OP(abs));
	EXPECT(9, OP(lit4), OP1(plus_uconst, 5));
	EXPECT(1, OP1(const1s, -1), OP(lit1), OP(lt));
	// INT64_MIN / -1 traps on x86.
	EXPECT(UINT64_C(1) << 63, OP1(const8u, UINT64_C(1) << 63), OP1(const1s, -1), OP(div));
	EXPECT_RESULT(EXPRESSION_BAD, OP(lit1), OP(lit0), OP(div));
	EXPECT_RESULT(EXPRESSION_BAD, OP(lit1), OP(lit0), OP(mod));
}

CASE(addresses_of_32_bits_wrap)
{
	EXPECT_ON(UNWIND_ARCH_I386, 0xffffffff, OP(lit0), OP(lit1), OP(minus));
	EXPECT_ON(UNWIND_ARCH_I386, 1, OP1(const4u, 0xffffffff), OP(lit0), OP(lt));
	EXPECT_ON(UNWIND_ARCH_I386, 1, OP1(const4u, 0xffffffff), OP(lit2), OP(plus));
}

CASE(moving_values)
{
	EXPECT(2, OP(lit1), OP(lit2), OP(lit3), OP(drop));
	EXPECT(1, OP(lit1), OP(lit2), OP(over));
	EXPECT(1, OP(lit1), OP(lit2), OP(swap));
	EXPECT(1, OP(lit1), OP(lit2), OP(lit3), OP1(pick, 2));
	// rot: the top goes under the next two.
	EXPECT(2, OP(lit1), OP(lit2), OP(lit3), OP(rot));
	EXPECT(3, OP(lit1), OP(lit2), OP(lit3), OP(rot), OP(drop), OP(drop));
	EXPECT_RESULT(EXPRESSION_BAD, OP(drop));
	EXPECT_RESULT(EXPRESSION_BAD, OP(lit1), OP(swap));
	EXPECT_RESULT(EXPRESSION_BAD, OP(lit1), OP(lit2), OP(rot));
	EXPECT_RESULT(EXPRESSION_BAD, OP(lit1), OP1(pick, UINT64_MAX));
}

CASE(memory)
{
	uint64_t failed;

	EXPECT(0x2222, OP1(breg7, 8), OP(deref));
	EXPECT(0x33, OP1(breg7, 16), OP1(deref_size, 1));
	assert_int_equal(evaluate(UNWIND_ARCH_X86_64, OPS(OP1(breg7, 24), OP(deref)), &failed),
		EXPRESSION_UNREADABLE);
	assert_int_equal(failed, STACK + 24);
	EXPECT_RESULT(EXPRESSION_BAD, OP1(breg7, 0), OP1(deref_size, 9));
}

CASE(the_rule_of_procedure_linkage_tables)
{
	// CFA = rsp + 8 + ((rip & 15) >= 11) * 8, here with r0 = 10 and then 11 for rip.
	EXPECT(STACK + 8, OP1(breg7, 8), OP1(breg0, 0), OP(lit15), OP(and), OP(lit11), OP(ge),
		OP(lit3), OP(shl), OP(plus));
	EXPECT(STACK + 16, OP1(breg7, 8), OP1(breg0, 1), OP(lit15), OP(and), OP(lit11), OP(ge),
		OP(lit3), OP(shl), OP(plus));
}

CASE(branches)
{
	// lit1 at 0; bra +1 at 1 (behind it: 4); lit5 at 4; lit6 at 5.
	EXPECT(6, {.atom = DW_OP_lit1, .offset = 0}, {.atom = DW_OP_bra, .offset = 1, .number = 1},
		{.atom = DW_OP_lit5, .offset = 4}, {.atom = DW_OP_lit6, .offset = 5});
	EXPECT_RESULT(EXPRESSION_BAD, {.atom = DW_OP_skip, .offset = 0, .number = 100});
	// A loop ends when the budget does.
	EXPECT_RESULT(EXPRESSION_BAD, {.atom = DW_OP_skip, .offset = 0, .number = (uint64_t)-3});
}

CASE(parameters)
{
	// An address in the file, where it was loaded.
	EXPECT(0x1234 + 0x100, OP1(addr, 0x1234));
	// The form of the next two is described in expression.h.
	EXPECT(0x55, OP1(entry_value, 5));
	EXPECT_RESULT(EXPRESSION_UNKNOWN_REGISTER, OP1(entry_value, 4));
	EXPECT_RESULT(EXPRESSION_UNKNOWN_REGISTER, OP1(entry_value, UINT64_MAX));
	EXPECT(-1, OP1(constu, 0x1ff), OP2(convert, 1, true));
	EXPECT(0xff, OP1(constu, 0x1ff), OP2(convert, 1, false));
	EXPECT(UINT64_MAX, OP1(consts, -1), OP2(convert, 8, false));
	EXPECT_RESULT(EXPRESSION_BAD, OP1(constu, 1), OP2(convert, 9, false));
	EXPECT_RESULT(EXPRESSION_BAD, OP2(convert, 4, false));
}

CASE(nothing_and_too_much)
{
	struct expression_op many[70];

	EXPECT_RESULT(EXPRESSION_BAD, OP(nop));
	EXPECT_RESULT(EXPRESSION_BAD, OP(push_object_address));
	for (size_t i = 0; i < 70; i++)
		many[i] = (struct expression_op){.atom = DW_OP_lit0};
	assert_int_equal(evaluate(UNWIND_ARCH_X86_64, many, 70, &(uint64_t){0}), EXPRESSION_BAD);
}

RUN_CASES(ADD(parameters), ADD(constants_and_registers), ADD(arithmetic),
	ADD(addresses_of_32_bits_wrap), ADD(moving_values), ADD(memory),
	ADD(the_rule_of_procedure_linkage_tables), ADD(branches), ADD(nothing_and_too_much));
