// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/buf.h"

#include <string.h>

#include "unit.h"

CASE(empty_is_an_empty_text)
{
	struct buf buf = {0};

	assert_string_equal(buf_text(&buf), "");
	assert_int_equal(buf.length, 0);
	buf_bytes(&buf, NULL, 0);
	assert_int_equal(buf.length, 0);
	buf_deinit(&buf);
}

CASE(appending_keeps_what_was_there)
{
	struct buf buf = {0};

	buf_string(&buf, "read");
	buf_char(&buf, '(');
	buf_signed(&buf, 3);
	buf_string(&buf, ", ");
	buf_bytes(&buf, "\"a\0b\"", 5);
	buf_printf(&buf, ", %d) = %s", 3, "3");
	assert_int_equal(buf.length, 21);
	assert_memory_equal(buf_text(&buf), "read(3, \"a\0b\", 3) = 3", 21);
	buf_deinit(&buf);
}

CASE(grows_by_single_characters)
{
	struct buf buf = {0};

	for (int i = 0; i < 100000; i++)
		buf_char(&buf, (char)('a' + i % 26));
	assert_int_equal(buf.length, 100000);
	assert_int_equal(strlen(buf_text(&buf)), 100000);
	for (int i = 0; i < 100000; i++)
		assert_int_equal(buf.data[i], 'a' + i % 26);
	buf_deinit(&buf);
}

CASE(one_append_larger_than_many_doublings)
{
	struct buf buf = {0};

	buf_printf(&buf, "x%100000d", 1);
	assert_int_equal(buf.length, 100001);
	buf_deinit(&buf);
}

CASE(text_does_not_count_its_terminator)
{
	struct buf buf = {0};

	buf_string(&buf, "ab");
	assert_string_equal(buf_text(&buf), "ab");
	buf_string(&buf, "cd");
	assert_string_equal(buf_text(&buf), "abcd");
	buf_reset(&buf);
	assert_string_equal(buf_text(&buf), "");
	buf_deinit(&buf);
}

CASE(reserve_is_filled_by_the_caller)
{
	struct buf buf = {0};

	buf_string(&buf, "a");
	memcpy(buf_reserve(&buf, 3), "bcd", 3);
	assert_string_equal(buf_text(&buf), "a");
	memcpy(buf_reserve(&buf, 3), "bcd", 3);
	buf.length += 3;
	assert_string_equal(buf_text(&buf), "abcd");
	buf_deinit(&buf);
}

CASE(numbers)
{
	struct buf buf = {0};

	buf_unsigned(&buf, 0);
	buf_char(&buf, ' ');
	buf_unsigned(&buf, UINT64_MAX);
	buf_char(&buf, ' ');
	buf_signed(&buf, INT64_MIN);
	buf_char(&buf, ' ');
	buf_signed(&buf, INT64_MAX);
	buf_char(&buf, ' ');
	buf_signed(&buf, -1);
	buf_char(&buf, ' ');
	buf_hex(&buf, 0);
	buf_char(&buf, ' ');
	buf_hex(&buf, UINT64_MAX);
	buf_char(&buf, ' ');
	buf_hex(&buf, 0x1f0a);
	assert_string_equal(buf_text(&buf),
		"0 18446744073709551615 -9223372036854775808 9223372036854775807 -1 "
		"0x0 0xffffffffffffffff 0x1f0a");
	buf_deinit(&buf);
}

CASE(padding_only_grows)
{
	struct buf buf = {0};

	buf_string(&buf, "close(3)");
	buf_pad(&buf, 10);
	assert_string_equal(buf_text(&buf), "close(3)  ");
	buf_pad(&buf, 4);
	assert_string_equal(buf_text(&buf), "close(3)  ");
	buf_deinit(&buf);
}

RUN_CASES(ADD(empty_is_an_empty_text), ADD(appending_keeps_what_was_there),
	ADD(grows_by_single_characters), ADD(one_append_larger_than_many_doublings),
	ADD(text_does_not_count_its_terminator), ADD(reserve_is_filled_by_the_caller), ADD(numbers),
	ADD(padding_only_grows));
