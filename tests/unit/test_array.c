// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/array.h"

#include "unit.h"

struct pair {
	int number;
	const char *name;
};

CASE(elements_stay_in_order_while_it_grows)
{
	ARRAY(struct pair) pairs = {0};
	int expected = 0;

	for (int i = 0; i < 1000; i++)
		*array_add(&pairs) = (struct pair){.number = i, .name = "x"};
	assert_int_equal(pairs.count, 1000);
	assert_true(pairs.capacity >= pairs.count);
	array_for_each (pair, &pairs)
		assert_int_equal(pair->number, expected++);
	assert_int_equal(expected, 1000);
	array_deinit(&pairs);
}

CASE(empty_array_has_no_rounds)
{
	ARRAY(int) numbers = {0};

	array_for_each (number, &numbers)
		fail();
	array_deinit(&numbers);
	assert_null(numbers.data);
}

CASE(usable_after_deinit)
{
	ARRAY(int) numbers = {0};

	*array_add(&numbers) = 1;
	array_deinit(&numbers);
	assert_int_equal(numbers.count, 0);
	*array_add(&numbers) = 2;
	assert_int_equal(numbers.count, 1);
	assert_int_equal(numbers.data[0], 2);
	array_deinit(&numbers);
}

CASE(size_of_a_fixed_array)
{
	struct pair pairs[7];

	assert_int_equal(ARRAY_SIZE(pairs), 7);
}

RUN_CASES(ADD(elements_stay_in_order_while_it_grows), ADD(empty_array_has_no_rounds),
	ADD(usable_after_deinit), ADD(size_of_a_fixed_array));
