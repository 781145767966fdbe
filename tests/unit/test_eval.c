// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/eval.h"

#include "decode/value.h"
#include "schema/relation.h"
#include "schema/syscall.h"
#include "schema/type.h"
#include "unit.h"
#include "walked.h"

static const struct type int_type = {
	.kind = TYPE_NUMBER,
	.size = {4, 4},
	.align = {4, 4},
	.is_signed = true,
};
static const struct type u32_type = {.kind = TYPE_NUMBER, .size = {4, 4}, .align = {4, 4}};
static const struct type pointer_type = {
	.kind = TYPE_POINTER,
	.size = {8, 4},
	.align = {8, 4},
	.direction = DIRECTION_INOUT,
	.target = &int_type,
};

#define CONSTANT(value)                                                                            \
	&(const struct expr)                                                                       \
	{                                                                                          \
		.op = EXPR_CONSTANT, .constant = { value, value }                                  \
	}
#define BINARY(which, a, b)                                                                        \
	&(const struct expr)                                                                       \
	{                                                                                          \
		.op = which, .left = a, .right = b                                                 \
	}
#define LEAF(which, i)                                                                             \
	&(const struct expr)                                                                       \
	{                                                                                          \
		.op = which, .index = i                                                            \
	}

static uint64_t compute(enum expr_op op, uint64_t a, uint64_t b)
{
	struct walked walked = {0};
	uint64_t result;

	walked_start(&walked, ABI_X86_64);
	result = eval(&walked.walk, BINARY(op, CONSTANT(a), CONSTANT(b)));
	walked_end(&walked);
	return result;
}

CASE(arithmetic_is_unsigned_and_total)
{
	assert_int_equal(compute(EXPR_ADD, 2, 3), 5);
	assert_int_equal(compute(EXPR_SUB, 2, 3), UINT64_MAX);
	assert_int_equal(compute(EXPR_MUL, UINT64_C(1) << 63, 2), 0);
	assert_int_equal(compute(EXPR_DIV, 7, 2), 3);
	assert_int_equal(compute(EXPR_DIV, 7, 0), 0);
	assert_int_equal(compute(EXPR_AND, 6, 3), 2);
	assert_int_equal(compute(EXPR_OR, 6, 3), 7);
	assert_int_equal(compute(EXPR_SHIFT_LEFT, 1, 63), UINT64_C(1) << 63);
	assert_int_equal(compute(EXPR_SHIFT_LEFT, 1, 64), 0);
	assert_int_equal(compute(EXPR_SHIFT_RIGHT, UINT64_MAX, 63), 1);
	assert_int_equal(compute(EXPR_SHIFT_RIGHT, UINT64_MAX, 200), 0);
	assert_int_equal(compute(EXPR_MIN, 1, UINT64_MAX), 1);
	assert_int_equal(compute(EXPR_MAX, 1, UINT64_MAX), UINT64_MAX);
}

CASE(comparisons_give_one_or_zero)
{
	assert_int_equal(compute(EXPR_EQUAL, 5, 5), 1);
	assert_int_equal(compute(EXPR_EQUAL, 5, 6), 0);
	assert_int_equal(compute(EXPR_NOT_EQUAL, 5, 6), 1);
	assert_int_equal(compute(EXPR_LESS, 5, UINT64_MAX), 1);
	assert_int_equal(compute(EXPR_LESS, 5, 5), 0);
	assert_int_equal(compute(EXPR_LESS_EQUAL, 5, 5), 1);
	assert_int_equal(compute(EXPR_BOTH, 4, 2), 1);
	assert_int_equal(compute(EXPR_BOTH, 4, 0), 0);
	assert_int_equal(compute(EXPR_EITHER, 0, 2), 1);
	assert_int_equal(compute(EXPR_EITHER, 0, 0), 0);
}

CASE(constants_differ_by_abi)
{
	const struct expr expr = {.op = EXPR_CONSTANT, .constant = {10, 20}};
	struct walked walked = {0};

	walked_start(&walked, ABI_I386);
	assert_int_equal(eval(&walked.walk, &expr), 20);
	walked_end(&walked);
}

CASE(the_result_waits_for_the_exit)
{
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_RET, 0)), 0);
	assert_true(walked.walk.pending);
	walked_return(&walked, 42);
	walked.walk.pending = false;
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_RET, 0)), 42);
	assert_false(walked.walk.pending);
	walked_end(&walked);
}

CASE(a_member_is_read_where_its_struct_is)
{
	static const struct member members[] = {
		{.name = "a", .type = &u32_type},
		{.name = "b", .type = &int_type, .offset = {4, 4}},
		{.name = "c", .type = &u32_type, .offset = {0, 0}, .shift = 4, .bits = 8},
		{.name = "d", .type = &u32_type, .offset = {100, 100}},
	};
	static const struct type record = {
		.kind = TYPE_STRUCT, .size = {8, 8}, .members = members, .member_count = 4};
	const uint32_t memory[] = {0xabcd, (uint32_t)-2};
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	view_recorded_store(&walked.task, 0x1000, memory, sizeof(memory));
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_MEMBER, 0)), 0);
	walked.walk.scope.record = &record;
	walked.walk.scope.place = place_memory(0x1000);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_MEMBER, 0)), 0xabcd);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_MEMBER, 1)), (uint64_t)-2);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_MEMBER, 2)), 0xbc);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_MEMBER, 3)), 0);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_MEMBER, 9)), 0);
	walked_end(&walked);
}

CASE(parameters)
{
	const uint64_t params[] = {7, 8};
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	walked.walk.scope.params = params;
	walked.walk.scope.param_count = 2;
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_PARAM, 1)), 8);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_PARAM, 2)), 0);
	walked_end(&walked);
}

CASE(a_target_is_what_the_pointer_points_to)
{
	static const struct argument args[] = {{.name = "len", .type = &pointer_type}};
	static const struct signature signature = {.args = args, .arg_count = 1};
	const uint32_t length = 16;
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	walked.call.signature = &signature;
	walked.walk.args[0] = 0x1000;
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_ARG, 0)), 0x1000);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_ARG_TARGET, 0)), 0);
	view_recorded_store(&walked.task, 0x1000, &length, sizeof(length));
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_ARG_TARGET, 0)), 16);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_ARG_TARGET, 5)), 0);
	walked_end(&walked);
}

// getsockname() stores the length of the name, and copies no more than there was room for.
CASE(a_changed_target_is_no_more_than_it_was)
{
	static const struct argument args[] = {{.name = "len", .type = &pointer_type}};
	static const struct signature signature = {.args = args, .arg_count = 1};
	const uint32_t length = 16;
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	walked.call.signature = &signature;
	walked.walk.args[0] = 0x1000;
	view_recorded_store(&walked.task, 0x1000, &length, sizeof(length));
	walked.walk.entry[0] = value_create(walked.walk.arena, VALUE_REF);
	walked.walk.entry[0]->first = value_number(walked.walk.arena, 5, RADIX_SIGNED, 4);
	walked_return(&walked, 0);
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_ARG_TARGET, 0)), 5);
	walked.walk.entry[0]->first->number = 128;
	assert_int_equal(eval(&walked.walk, LEAF(EXPR_ARG_TARGET, 0)), 16);
	walked_end(&walked);
}

RUN_CASES(ADD(arithmetic_is_unsigned_and_total), ADD(comparisons_give_one_or_zero),
	ADD(constants_differ_by_abi), ADD(the_result_waits_for_the_exit),
	ADD(a_member_is_read_where_its_struct_is), ADD(parameters),
	ADD(a_target_is_what_the_pointer_points_to), ADD(a_changed_target_is_no_more_than_it_was));
