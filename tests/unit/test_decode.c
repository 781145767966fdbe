// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/decoder.h"

#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "decode/value.h"
#include "output/text_value.h"
#include "schema/const_set.h"
#include "schema/relation.h"
#include "schema/type.h"
#include "unit.h"
#include "walked.h"

// Kinds of types, on descriptors written here. Calls are in tests/record.

static const struct expr length_zero = {.op = EXPR_CONSTANT, .constant = {0, 0}};
static const struct expr length_one = {.op = EXPR_CONSTANT, .constant = {1, 1}};
static const struct expr length_two = {.op = EXPR_CONSTANT, .constant = {2, 2}};
static const struct expr length_three = {.op = EXPR_CONSTANT, .constant = {3, 3}};
static const struct expr length_eight = {.op = EXPR_CONSTANT, .constant = {8, 8}};
static const struct expr length_endless = {
	.op = EXPR_CONSTANT, .constant = {UINT64_MAX, UINT64_MAX}};

static const struct type int_type = {.kind = TYPE_NUMBER,
	.size = {4, 4},
	.align = {4, 4},
	.is_signed = true,
	.radix = RADIX_SIGNED};
static const struct type u16_type = {
	.kind = TYPE_NUMBER, .size = {2, 2}, .align = {2, 2}, .radix = RADIX_UNSIGNED};
static const struct type be16_type = {.kind = TYPE_NUMBER,
	.size = {2, 2},
	.align = {2, 2},
	.radix = RADIX_UNSIGNED,
	.big_endian = true};
static const struct type long_type = {.kind = TYPE_NUMBER,
	.size = {8, 4},
	.align = {8, 4},
	.is_signed = true,
	.radix = RADIX_SIGNED};
static const struct type string_type = {.kind = TYPE_STRING, .align = {1, 1}, .dirfd_arg = -1};
static const struct type string_pointer_type = {
	.kind = TYPE_POINTER, .size = {8, 4}, .align = {8, 4}, .target = &string_type};

static void expect_shown(struct walked *walked, struct value *value, const char *text)
{
	struct buf buf = {0};

	if (value)
		text_value(&buf, value, &(struct text_style){.verbose = walked->options.verbose});
	else
		buf_string(&buf, "unreadable");
	assert_string_equal(buf_text(&buf), text);
	buf_deinit(&buf);
}

// The value of @type at address 0x1000, where @size bytes of memory are.
static void expect(
	enum abi_id abi, const struct type *type, const void *memory, size_t size, const char *text)
{
	struct walked walked = {0};

	walked_start(&walked, abi);
	view_recorded_store(&walked.task, 0x1000, memory, size);
	expect_shown(&walked, walked_at(&walked, type, 0x1000), text);
	walked_end(&walked);
}

static void expect_register(const struct type *type, uint64_t number, const char *text)
{
	struct walked walked = {0};
	struct place place = place_register(number);

	walked_start(&walked, ABI_X86_64);
	expect_shown(&walked, walk_type(&walked.walk, type, &place), text);
	walked_end(&walked);
}

CASE(numbers_are_cut_to_their_size)
{
	expect_register(&int_type, 0xffffffff, "-1");
	expect_register(&int_type, 0x1234567800000005, "5");
	expect_register(&u16_type, 0xffff0001, "1");
	expect(ABI_X86_64, &long_type, "\xfe\xff\xff\xff\xff\xff\xff\xff", 8, "-2");
	expect(ABI_I386, &long_type, "\xfe\xff\xff\xff", 4, "-2");
	expect(ABI_X86_64, &be16_type, "\x01\x02", 2, "258");
	expect(ABI_X86_64, &int_type, "abc", 3, "unreadable");
}

CASE(ids_of_minus_one)
{
	static const struct type uid_type = {.kind = TYPE_NUMBER,
		.size = {4, 4},
		.align = {4, 4},
		.radix = RADIX_UNSIGNED,
		.role = ROLE_UID};

	expect_register(&uid_type, 0xffffffff, "-1");
	expect_register(&uid_type, 0xfffffffe, "4294967294");
}

static const struct constant colour_constants[] = {{1, "RED"}, {2, "GREEN"}};
static const struct const_set colours = {.name = "colours",
	.kind = CONST_SET_ENUM,
	.unknown = "COLOUR_???",
	.constants = {colour_constants, colour_constants},
	.count = {2, 2}};
static const struct constant signed_constants[] = {{5, "FIVE"}, {(uint64_t)-2, "MINUS_TWO"}};
static const struct const_set signed_set = {
	.name = "signed", .constants = {signed_constants, signed_constants}, .count = {2, 2}};

CASE(names)
{
	static const struct type type = {.kind = TYPE_SET,
		.size = {4, 4},
		.align = {4, 4},
		.radix = RADIX_HEX,
		.set = &colours};
	static const struct type signed_type = {.kind = TYPE_SET,
		.size = {4, 4},
		.align = {4, 4},
		.radix = RADIX_HEX,
		.set = &signed_set};

	expect_register(&type, 2, "GREEN");
	expect_register(&type, 7, "0x7 /* COLOUR_??? */");
	expect_register(&signed_type, 0xfffffffe, "MINUS_TWO");
}

static const struct constant flag_constants[] = {{0x30, "BOTH"}, {0x10, "ONE"}, {0x20, "OTHER"}};
static const struct constant signal_constants[] = {{0x900, "NINE"}};
static const struct const_set signals = {
	.name = "signals", .constants = {signal_constants, signal_constants}, .count = {1, 1}};
static const struct const_part parts[] = {
	{.mask = 3, .set = &colours}, {.mask = 0xff00, .set = &signals, .after = true}};
static const struct const_set flag_set = {.name = "flags",
	.kind = CONST_SET_FLAGS,
	.unknown = "F_???",
	.constants = {flag_constants, flag_constants},
	.count = {3, 3},
	.parts = parts,
	.part_count = 2};

CASE(flags)
{
	static const struct type type = {.kind = TYPE_SET,
		.size = {4, 4},
		.align = {4, 4},
		.radix = RADIX_HEX,
		.set = &flag_set};

	expect_register(&type, 0, "0");
	expect_register(&type, 0x10, "ONE");
	expect_register(&type, 0x30, "BOTH");
	expect_register(&type, 0x21, "RED|OTHER");
	expect_register(&type, 0x80000000, "0x80000000 /* F_??? */");
	expect_register(&type, 0x80000010, "ONE|0x80000000");
	expect_register(&type, 0x0912, "GREEN|ONE|NINE");
	// A part without a name says what it is if it knows, else it is but bits.
	expect_register(&type, 0x0713, "0x3 /* COLOUR_??? */|ONE|0x700");
}

CASE(strings)
{
	static const struct type path_type = {
		.kind = TYPE_STRING, .align = {1, 1}, .role = ROLE_PATH, .dirfd_arg = -1};
	static const struct type short_type = {
		.kind = TYPE_STRING, .align = {1, 1}, .length = &length_three, .dirfd_arg = -1};
	const char text[] = "0123456789012345678901234567890123";

	expect(ABI_X86_64, &string_type, "abc", 4, "\"abc\"");
	expect(ABI_X86_64, &string_type, "abc", 3, "unreadable");
	expect(ABI_X86_64, &string_type, text + 2, 33, "\"23456789012345678901234567890123\"");
	expect(ABI_X86_64, &string_type, text, 33, "\"01234567890123456789012345678901\"...");
	expect(ABI_X86_64, &path_type, text, sizeof(text),
		"\"0123456789012345678901234567890123\"");
	expect(ABI_X86_64, &short_type, "abcdef", 7, "\"abc\"...");
	expect(ABI_X86_64, &short_type, "a", 2, "\"a\"");
	// The limit ends before the unreadable byte does harm.
	expect(ABI_X86_64, &short_type, "abc", 3, "\"abc\"...");
}

CASE(strings_cross_pages)
{
	char memory[3000];
	struct walked walked = {0};
	struct value *value;

	memset(memory, 'x', sizeof(memory));
	memory[2999] = '\0';
	walked_start(&walked, ABI_X86_64);
	walked.options.string_limit = 10000;
	view_recorded_store(&walked.task, 0x1f00, memory, 1000);
	view_recorded_store(&walked.task, 0x1f00 + 1000, memory + 1000, 2000);
	value = walked_at(&walked, &string_type, 0x1f00);
	assert_non_null(value);
	assert_int_equal(value->length, 2999);
	assert_memory_equal(value->bytes, memory, 2999);
	assert_true(value->terminated);
	walked_end(&walked);
}

CASE(counted_bytes)
{
	static const struct type three = {
		.kind = TYPE_BYTES, .align = {1, 1}, .length = &length_three, .dirfd_arg = -1};
	static const struct type many = {
		.kind = TYPE_BYTES, .align = {1, 1}, .length = &length_endless, .dirfd_arg = -1};
	static const struct type none = {
		.kind = TYPE_BYTES, .align = {1, 1}, .length = &length_zero, .dirfd_arg = -1};
	static const struct type name = {.kind = TYPE_BYTES,
		.align = {1, 1},
		.length = &length_eight,
		.until_nul = true,
		.dirfd_arg = -1};
	const char text[] = "0123456789012345678901234567890123";

	expect(ABI_X86_64, &three, "a\0c", 3, "\"a\\0c\"");
	expect(ABI_X86_64, &three, "ab", 2, "unreadable");
	expect(ABI_X86_64, &many, text, 32, "\"01234567890123456789012345678901\"...");
	expect(ABI_X86_64, &none, "", 0, "\"\"");
	expect(ABI_X86_64, &name, "ab\0defgh", 8, "\"ab\"");
	expect(ABI_X86_64, &name, "abcdefgh", 8, "\"abcdefgh\"");
}

CASE(arrays_end_where_memory_does)
{
	static const struct type array = {
		.kind = TYPE_ARRAY, .align = {4, 4}, .target = &int_type, .length = &length_three};
	static const struct type huge = {.kind = TYPE_ARRAY,
		.align = {4, 4},
		.target = &int_type,
		.length = &length_endless};
	static const struct type empty = {
		.kind = TYPE_ARRAY, .align = {4, 4}, .target = &int_type, .length = &length_zero};
	const int memory[] = {1, 2, 3};

	expect(ABI_X86_64, &array, memory, 12, "[1, 2, 3]");
	expect(ABI_X86_64, &array, memory, 11, "[1, 2, ... /* 0x1008 */]");
	expect(ABI_X86_64, &array, memory, 3, "unreadable");
	expect(ABI_X86_64, &huge, memory, 12, "[1, 2, 3, ... /* 0x100c */]");
	expect(ABI_X86_64, &empty, memory, 12, "[]");
	expect(ABI_X86_64, &empty, memory, 0, "[]");
}

CASE(arrays_show_as_many_elements_as_strings_bytes)
{
	static const struct type array = {
		.kind = TYPE_ARRAY, .align = {4, 4}, .target = &int_type, .length = &length_three};
	const int memory[] = {1, 2, 3};
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	view_recorded_store(&walked.task, 0x1000, memory, sizeof(memory));
	walked.options.string_limit = 2;
	expect_shown(&walked, walked_at(&walked, &array, 0x1000), "[1, 2, ...]");
	walked.options.verbose = true;
	walked.walk.verbose = true;
	expect_shown(&walked, walked_at(&walked, &array, 0x1000), "[1, 2, 3]");
	walked_end(&walked);
}

CASE(lists_end_at_zero)
{
	static const struct type list = {
		.kind = TYPE_LIST, .align = {8, 4}, .target = &string_pointer_type};
	const uint64_t pointers[] = {0x2000, 0x2002, 8, 0};
	struct walked walked = {0};

	walked_start(&walked, ABI_X86_64);
	view_recorded_store(&walked.task, 0x1000, pointers, sizeof(pointers));
	view_recorded_store(&walked.task, 0x2000, "a\0b", 4);
	expect_shown(&walked, walked_at(&walked, &list, 0x1000), "[\"a\", \"b\", 0x8]");
	// As many as may be shown are not cut; one more is.
	walked.options.string_limit = 3;
	expect_shown(&walked, walked_at(&walked, &list, 0x1000), "[\"a\", \"b\", 0x8]");
	walked.options.string_limit = 2;
	expect_shown(&walked, walked_at(&walked, &list, 0x1000), "[\"a\", \"b\", ...]");
	expect_shown(&walked, walked_at(&walked, &list, 0x1018), "[]");
	walked_end(&walked);
	expect(ABI_X86_64, &list, pointers, 16, "[0x2000, 0x2002, ... /* 0x1010 */]");
}

CASE(bit_sets)
{
	static const struct type bits = {
		.kind = TYPE_BITS, .align = {1, 1}, .length = &length_two, .dirfd_arg = -1};
	static const struct type named = {
		.kind = TYPE_BITS, .align = {1, 1}, .length = &length_one, .set = &colours};

	expect(ABI_X86_64, &bits, "\x03\x80", 2, "[0 1 15]");
	expect(ABI_X86_64, &bits, "\0\0", 2, "[]");
	expect(ABI_X86_64, &named, "\x07", 1, "[0 RED GREEN]");
	expect(ABI_X86_64, &bits, "\x03", 1, "unreadable");
}

static const struct expr first_member = {.op = EXPR_MEMBER, .index = 0};
static const struct member members[] = {
	{.name = "kind", .type = &u16_type},
	{.name = "_", .type = &u16_type, .offset = {2, 2}},
	{.name = "extra", .type = &int_type, .offset = {4, 4}, .condition = &first_member},
	{.name = "rare", .type = &int_type, .offset = {8, 8}, .nonzero = true},
	{.name = "low", .type = &u16_type, .offset = {12, 12}, .bits = 4},
	{.name = "high", .type = &u16_type, .offset = {12, 12}, .shift = 4, .bits = 12},
	{.name = "detail", .type = &u16_type, .offset = {14, 14}, .verbose = true},
};
static const struct type record = {.kind = TYPE_STRUCT,
	.size = {16, 16},
	.align = {4, 4},
	.members = members,
	.member_count = ARRAY_SIZE(members)};

CASE(structs)
{
	const unsigned char full[] = {1, 0, 9, 9, 2, 0, 0, 0, 3, 0, 0, 0, 0x45, 0x12, 7, 0};
	const unsigned char plain[16] = {0, 0, 9, 9, 2};
	struct walked walked = {0};

	expect(ABI_X86_64, &record, full, 16, "{kind=1, extra=2, rare=3, low=5, high=292, ...}");
	expect(ABI_X86_64, &record, plain, 16, "{kind=0, low=0, high=0, ...}");
	expect(ABI_X86_64, &record, full, 15, "unreadable");
	walked_start(&walked, ABI_X86_64);
	walked.options.verbose = true;
	walked.walk.verbose = true;
	view_recorded_store(&walked.task, 0x1000, full, sizeof(full));
	expect_shown(&walked, walked_at(&walked, &record, 0x1000),
		"{kind=1, extra=2, rare=3, low=5, high=292, detail=7}");
	walked_end(&walked);
}

CASE(nested_structs_may_be_flattened)
{
	static const struct member outer_members[] = {
		{.name = "inner", .type = &record, .flatten = true},
		{.name = "last", .type = &u16_type, .offset = {16, 16}},
	};
	static const struct type outer = {.kind = TYPE_STRUCT,
		.size = {20, 20},
		.align = {4, 4},
		.members = outer_members,
		.member_count = 2};
	const unsigned char memory[20] = {[16] = 6};

	expect(ABI_X86_64, &outer, memory, 20, "{kind=0, low=0, high=0, last=6, ...}");
}

CASE(extensible_structs)
{
	static const struct member sized_members[] = {
		{.name = "a", .type = &int_type},
		{.name = "b", .type = &int_type, .offset = {4, 4}},
	};
	static const struct expr parameter = {.op = EXPR_PARAM, .index = 0};
	static const struct type sized = {.kind = TYPE_STRUCT,
		.size = {8, 8},
		.align = {4, 4},
		.members = sized_members,
		.member_count = 2,
		.given_size = &parameter};
	const unsigned char memory[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 4};
	static const struct {
		uint64_t given;
		const char *text;
	} cases[] = {
		{0, "unreadable"},
		{4, "{a=1}"},
		{7, "{a=1}"},
		{8, "{a=1, b=2}"},
		{10, "{a=1, b=2}"},
		{12, "{a=1, b=2, /* bytes 8..11 */ \"\\x00\\x00\\x03\\x04\"}"},
		{13, "{a=1, b=2, ???}"},
		{UINT64_MAX, "{a=1, b=2}"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct walked walked = {0};

		walked_start(&walked, ABI_X86_64);
		view_recorded_store(&walked.task, 0x1000, memory, sizeof(memory));
		walked.walk.scope.params = &cases[i].given;
		walked.walk.scope.param_count = 1;
		expect_shown(&walked, walked_at(&walked, &sized, 0x1000), cases[i].text);
		walked_end(&walked);
	}
}

static struct value *point(struct walked *walked, const struct type *type)
{
	struct place place = place_register(0x1000);

	return walk_type(&walked->walk, type, &place);
}

CASE(pointers_are_followed_at_their_time)
{
	static const struct type out = {.kind = TYPE_POINTER,
		.size = {8, 4},
		.target = &int_type,
		.direction = DIRECTION_OUT};
	static const struct type both = {.kind = TYPE_POINTER,
		.size = {8, 4},
		.target = &int_type,
		.direction = DIRECTION_INOUT};
	const int before = 128, after = 16;
	struct walked walked = {0};
	struct value *entry;

	walked_start(&walked, ABI_X86_64);
	view_recorded_store(&walked.task, 0x1000, &before, 4);
	expect_shown(&walked, point(&walked, &out), "0x1000");
	assert_true(walked.walk.pending);
	entry = point(&walked, &both);
	expect_shown(&walked, entry, "[128]");

	walked_return(&walked, 0);
	walked.walk.before = entry;
	expect_shown(&walked, point(&walked, &both), "[128]");
	view_recorded_store(&walked.task, 0x1000, &after, 4);
	walked.walk.before = entry;
	expect_shown(&walked, point(&walked, &both), "[128 => 16]");
	expect_shown(&walked, point(&walked, &out), "[16]");
	walked.walk.failed = true;
	expect_shown(&walked, point(&walked, &out), "0x1000");
	walked_end(&walked);
	expect_register(&out, 0, "NULL");
	expect_register(&string_pointer_type, 0, "NULL");
	expect_register(&string_pointer_type, 0x5000, "0x5000");
}

CASE(selection_takes_the_first_case_that_holds)
{
	static const struct expr parameter = {.op = EXPR_PARAM, .index = 0};
	static const struct select_case cases[] = {{{1, 1}, &u16_type}, {{2, 2}, &be16_type}};
	static const struct type select = {
		.kind = TYPE_SELECT, .selector = &parameter, .cases = cases, .case_count = 2};
	static const struct expr *const arguments[] = {&length_two};
	static const struct type apply = {
		.kind = TYPE_APPLY, .target = &select, .arguments = arguments, .argument_count = 1};

	expect(ABI_X86_64, &apply, "\x01\x02\0\0\0\0\0\0", 8, "258");
	// Outside of the template there is no parameter; what no case knows is a hex word.
	expect(ABI_X86_64, &select, "\x01\x02\0\0\0\0\0\0", 8, "0x201");
}

CASE(a_case_with_a_condition_needs_it)
{
	static const struct expr parameter = {.op = EXPR_PARAM, .index = 0};
	static const struct select_case cases[] = {
		{{2, 2}, &u16_type, &length_zero}, {{2, 2}, &be16_type, &length_one}};
	static const struct type select = {
		.kind = TYPE_SELECT, .selector = &parameter, .cases = cases, .case_count = 2};
	static const struct expr *const arguments[] = {&length_two};
	static const struct type apply = {
		.kind = TYPE_APPLY, .target = &select, .arguments = arguments, .argument_count = 1};

	expect(ABI_X86_64, &apply, "\x01\x02\0\0\0\0\0\0", 8, "258");
}

CASE(members_that_go_both_ways_show_the_change)
{
	static const struct member both_members[] = {
		{.name = "a", .type = &int_type, .inout = true},
		{.name = "b", .type = &int_type, .offset = {4, 4}, .inout = true},
		{.name = "c", .type = &int_type, .offset = {8, 8}}};
	static const struct type both_ways = {.kind = TYPE_STRUCT,
		.size = {12, 12},
		.align = {4, 4},
		.members = both_members,
		.member_count = 3};
	static const struct type pointer = {
		.kind = TYPE_POINTER, .size = {8, 4}, .align = {8, 4}, .target = &both_ways};
	const uint32_t before[] = {1, 2, 3}, after[] = {1, 5, 6};
	struct walked walked = {0};
	struct value *entry;

	walked_start(&walked, ABI_X86_64);
	view_recorded_store(&walked.task, 0x1000, before, sizeof(before));
	entry = point(&walked, &pointer);
	assert_true(walked.walk.pending);
	expect_shown(&walked, entry, "{a=1, b=2, c=3}");
	view_recorded_store(&walked.task, 0x1000, after, sizeof(after));
	walked_return(&walked, 0);
	walked.walk.before = entry;
	expect_shown(&walked, point(&walked, &pointer), "{a=1, b=2 => 5, c=6}");
	walked_end(&walked);
}

CASE(budgets_end_every_walk)
{
	static struct type list = {.kind = TYPE_LIST, .align = {8, 4}};
	static struct type pointer = {.kind = TYPE_POINTER, .size = {8, 4}, .target = &list};
	const uint64_t itself[] = {0x1000, 0x1000, 0x1000, 0};
	struct walked walked = {0};

	// A list of pointers to the list.
	list.target = &pointer;
	walked_start(&walked, ABI_X86_64);
	view_recorded_store(&walked.task, 0x1000, itself, sizeof(itself));
	assert_non_null(walked_at(&walked, &list, 0x1000));
	assert_int_equal(walked.walk.nodes_left, 0);
	walked_end(&walked);

	walked_start(&walked, ABI_X86_64);
	walked.walk.bytes_left = 3;
	view_recorded_store(&walked.task, 0x1000, itself, sizeof(itself));
	assert_null(walked_at(&walked, &int_type, 0x1000));
	walked_end(&walked);
}

RUN_CASES(ADD(numbers_are_cut_to_their_size), ADD(ids_of_minus_one), ADD(names), ADD(flags),
	ADD(strings), ADD(strings_cross_pages), ADD(counted_bytes),
	ADD(arrays_end_where_memory_does), ADD(arrays_show_as_many_elements_as_strings_bytes),
	ADD(lists_end_at_zero), ADD(bit_sets), ADD(structs), ADD(nested_structs_may_be_flattened),
	ADD(extensible_structs), ADD(pointers_are_followed_at_their_time),
	ADD(selection_takes_the_first_case_that_holds), ADD(a_case_with_a_condition_needs_it),
	ADD(members_that_go_both_ways_show_the_change), ADD(budgets_end_every_walk));
