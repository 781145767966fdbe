// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/quote.h"

#include <string.h>

#include "base/buf.h"
#include "unit.h"

// Expected texts: the rules of C's string literals as strace(1) applies them, tried on strace 6.1.

typedef void quote_fn(struct buf *buf, const void *bytes, size_t length);

static void in_quotes(struct buf *buf, const void *bytes, size_t length)
{
	quote_string(buf, bytes, length, TEXT_STRINGS_OCTAL);
}

static void in_hex(struct buf *buf, const void *bytes, size_t length)
{
	quote_string(buf, bytes, length, TEXT_STRINGS_HEX);
}

static void in_angles(struct buf *buf, const void *bytes, size_t length)
{
	quote_angled(buf, bytes, length, TEXT_STRINGS_OCTAL);
}

static void in_hex_escapes(struct buf *buf, const void *bytes, size_t length)
{
	quote_string(buf, bytes, length, TEXT_STRINGS_HEX_ESCAPES);
}

static void in_hex_if_needed(struct buf *buf, const void *bytes, size_t length)
{
	quote_string(buf, bytes, length, TEXT_STRINGS_HEX_IF_NEEDED);
}

static void expect(quote_fn *quote, const char *bytes, size_t length, const char *text)
{
	struct buf buf = {0};

	quote(&buf, bytes, length);
	assert_string_equal(buf_text(&buf), text);
	buf_deinit(&buf);
}

#define EXPECT(quote, bytes, text) expect(quote, bytes, sizeof(bytes) - 1, text)

CASE(printable_text_stays)
{
	EXPECT(in_quotes, "", "\"\"");
	EXPECT(in_quotes, "abc XYZ 0189 ~!'`?<>[]", "\"abc XYZ 0189 ~!'`?<>[]\"");
}

CASE(letters_quotes_and_backslashes)
{
	EXPECT(in_quotes, "a\"b\\c", "\"a\\\"b\\\\c\"");
	EXPECT(in_quotes, "\f\n\r\t\v", "\"\\f\\n\\r\\t\\v\"");
	EXPECT(in_quotes, "\a\b\033", "\"\\7\\10\\33\"");
}

CASE(bytes_that_are_not_text_in_hexadecimal)
{
	EXPECT(in_hex_escapes,
		"a\1\"\n\377"
		"1",
		"\"a\\x01\\\"\\n\\xff1\"");
	EXPECT(in_hex_if_needed, "a\t\"\r", "\"a\\t\\\"\\r\"");
	EXPECT(in_hex_if_needed, "a\33", "\"\\x61\\x1b\"");
	EXPECT(in_hex_if_needed, "\177", "\"\\x7f\"");
}

CASE(octal_is_short_unless_a_digit_follows)
{
	EXPECT(in_quotes, "\0", "\"\\0\"");
	EXPECT(in_quotes, "\0\0", "\"\\0\\0\"");
	EXPECT(in_quotes, "\0001", "\"\\0001\"");
	EXPECT(in_quotes, "\0017", "\"\\0017\"");
	EXPECT(in_quotes,
		"\001"
		"8",
		"\"\\18\"");
	EXPECT(in_quotes,
		"\001"
		"9a",
		"\"\\19a\"");
	EXPECT(in_quotes, "\0337", "\"\\0337\"");
	EXPECT(in_quotes, "\033z", "\"\\33z\"");
	EXPECT(in_quotes, "\1771", "\"\\1771\"");
	EXPECT(in_quotes, "\377\3770", "\"\\377\\3770\"");
}

CASE(a_digit_behind_the_end_does_not_count)
{
	expect(in_quotes, "\0001", 1, "\"\\0\"");
}

CASE(bytes_above_ascii_are_octal)
{
	EXPECT(in_quotes, "\xc3\xa9", "\"\\303\\251\"");
	EXPECT(in_quotes, "\x80\x9b", "\"\\200\\233\"");
}

CASE(hex_only_is_hex_throughout)
{
	EXPECT(in_hex, "a\0\xff", "\"\\x61\\x00\\xff\"");
	EXPECT(in_hex, "", "\"\"");
}

CASE(between_angles_these_are_escaped_too)
{
	EXPECT(in_angles, "/tmp/a<b>c[d]\n\"\\", "/tmp/a\\74b\\76c[d]\\n\\\"\\\\");
	EXPECT(in_angles, "<1>2", "\\0741\\0762");
}

CASE(running_text_keeps_quotes)
{
	EXPECT(quote_plain, "operator\"\"_x(char const*)", "operator\"\"_x(char const*)");
	EXPECT(quote_plain, "/x\033[31m\\", "/x\\33[31m\\\\");
}

CASE(nothing_unprintable_ever_comes_out)
{
	static quote_fn *const all[] = {in_quotes, in_hex, in_angles, quote_plain};
	char bytes[256 * 2];

	for (size_t i = 0; i < 256; i++) {
		bytes[2 * i] = (char)i;
		bytes[2 * i + 1] = (char)(255 - i);
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct buf buf = {0};

		all[i](&buf, bytes, sizeof(bytes));
		for (size_t k = 0; k < buf.length; k++)
			assert_in_range((unsigned char)buf.data[k], ' ', '~');
		buf_deinit(&buf);
	}
}

RUN_CASES(ADD(printable_text_stays), ADD(letters_quotes_and_backslashes),
	ADD(bytes_that_are_not_text_in_hexadecimal), ADD(octal_is_short_unless_a_digit_follows),
	ADD(a_digit_behind_the_end_does_not_count), ADD(bytes_above_ascii_are_octal),
	ADD(hex_only_is_hex_throughout), ADD(between_angles_these_are_escaped_too),
	ADD(running_text_keeps_quotes), ADD(nothing_unprintable_ever_comes_out));
