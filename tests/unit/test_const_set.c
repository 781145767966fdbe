// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "schema/const_set.h"

#include <string.h>

#include "schema/lookup.h"
#include "unit.h"

static const struct constant wide[] = {{1, "ONE"}, {5, "FIVE"}, {UINT64_MAX, "MINUS"}};
static const struct constant narrow[] = {{5, "CINQ"}};
static const struct const_set numbers = {
	.name = "numbers",
	.kind = CONST_SET_ENUM,
	.constants = {wide, narrow},
	.count = {3, 1},
};
static const struct constant both_first[] = {{3, "BOTH"}, {1, "LOW"}, {2, "HIGH"}};
static const struct const_set flags = {
	.name = "flags",
	.kind = CONST_SET_FLAGS,
	.constants = {both_first, NULL},
	.count = {3, 0},
};

CASE(names_of_enum_values_per_abi)
{
	assert_string_equal(const_set_name(&numbers, ABI_X86_64, 1), "ONE");
	assert_string_equal(const_set_name(&numbers, ABI_X86_64, 5), "FIVE");
	assert_string_equal(const_set_name(&numbers, ABI_X86_64, UINT64_MAX), "MINUS");
	assert_string_equal(const_set_name(&numbers, ABI_I386, 5), "CINQ");
	assert_null(const_set_name(&numbers, ABI_I386, 1));
	assert_null(const_set_name(&numbers, ABI_X86_64, 0));
	assert_null(const_set_name(&numbers, ABI_X86_64, 4));
}

CASE(flags_are_not_sorted)
{
	assert_string_equal(const_set_name(&flags, ABI_X86_64, 3), "BOTH");
	assert_string_equal(const_set_name(&flags, ABI_X86_64, 1), "LOW");
	assert_string_equal(const_set_name(&flags, ABI_X86_64, 2), "HIGH");
	assert_null(const_set_name(&flags, ABI_X86_64, 4));
	assert_null(const_set_name(&flags, ABI_I386, 1));
}

CASE(values_of_names)
{
	uint64_t value = 77;

	assert_true(const_set_value(&numbers, ABI_X86_64, "MINUS", &value));
	assert_int_equal(value, UINT64_MAX);
	assert_true(const_set_value(&numbers, ABI_I386, "CINQ", &value));
	assert_int_equal(value, 5);
	assert_false(const_set_value(&numbers, ABI_I386, "ONE", &value));
	assert_false(const_set_value(&numbers, ABI_X86_64, "ON", &value));
	assert_int_equal(value, 5);
}

// O_SYNC has the bit of O_DSYNC and must be tried before it; fcntl.h.
CASE(composites_come_before_their_parts)
{
	const struct const_set *set = const_set_by_name("open_flags");
	const struct constant *constants = set->constants[ABI_X86_64];
	int sync = -1, dsync = -1;

	for (int i = 0; i < set->count[ABI_X86_64]; i++) {
		if (strcmp(constants[i].name, "O_SYNC") == 0)
			sync = i;
		if (strcmp(constants[i].name, "O_DSYNC") == 0)
			dsync = i;
	}
	assert_true(sync >= 0 && sync < dsync);
	assert_int_equal(set->part_count, 1);
	assert_int_equal(set->parts[0].mask, 3);
	assert_string_equal(const_set_name(set->parts[0].set, ABI_X86_64, 2), "O_RDWR");
}

RUN_CASES(ADD(names_of_enum_values_per_abi), ADD(flags_are_not_sorted), ADD(values_of_names),
	ADD(composites_come_before_their_parts));
