// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "output/quote.h"

static bool is_octal_digit(uint8_t c)
{
	return c >= '0' && c <= '7';
}

static void put_octal(struct buf *buf, uint8_t c, uint8_t next)
{
	bool digit_follows = is_octal_digit(next);
	char *end = buf_reserve(buf, 4);
	size_t length = 0;

	end[length++] = '\\';
	if (digit_follows || c >= 0100)
		end[length++] = '0' + (c >> 6);
	if (digit_follows || c >= 010)
		end[length++] = '0' + (c >> 3 & 7);
	end[length++] = '0' + (c & 7);
	buf->length += length;
}

static void put_hex(struct buf *buf, const uint8_t *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < length; i++) {
		char *end = buf_reserve(buf, 4);

		end[0] = '\\';
		end[1] = 'x';
		end[2] = digits[bytes[i] >> 4];
		end[3] = digits[bytes[i] & 15];
		buf->length += 4;
	}
}

// @next is the byte behind @c, or 0 at the end.
static void put_escape(struct buf *buf, uint8_t c, uint8_t next, enum text_strings strings)
{
	static const char letters[] = {
		['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'};

	if (c == '"' || c == '\\') {
		buf_char(buf, '\\');
		buf_char(buf, c);
	} else if (c < sizeof(letters) && letters[c]) {
		buf_char(buf, '\\');
		buf_char(buf, letters[c]);
	} else if (strings == TEXT_STRINGS_HEX_ESCAPES) {
		put_hex(buf, &c, 1);
	} else {
		put_octal(buf, c, next);
	}
}

static bool is_text(const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if ((bytes[i] < '\t' || bytes[i] > '\r') && (bytes[i] < ' ' || bytes[i] > '~'))
			return false;
	}
	return true;
}

// Appends @bytes; those that are not printable or in @special are escaped.
static void put_bytes(struct buf *buf, const uint8_t *bytes, size_t length, const char *special,
	enum text_strings strings)
{
	size_t start = 0;

	if (strings == TEXT_STRINGS_HEX ||
		(strings == TEXT_STRINGS_HEX_IF_NEEDED && !is_text(bytes, length))) {
		put_hex(buf, bytes, length);
		return;
	}
	for (size_t i = 0; i < length; i++) {
		uint8_t c = bytes[i];

		if (c >= ' ' && c <= '~' && !strchr(special, c))
			continue;
		buf_bytes(buf, bytes + start, i - start);
		put_escape(buf, c, i + 1 < length ? bytes[i + 1] : 0, strings);
		start = i + 1;
	}
	buf_bytes(buf, bytes + start, length - start);
}

void quote_string(struct buf *buf, const void *bytes, size_t length, enum text_strings strings)
{
	buf_char(buf, '"');
	put_bytes(buf, bytes, length, "\"\\", strings);
	buf_char(buf, '"');
}

void quote_angled(struct buf *buf, const void *bytes, size_t length, enum text_strings strings)
{
	put_bytes(buf, bytes, length, "\"\\<>", strings);
}

void quote_plain(struct buf *buf, const void *bytes, size_t length)
{
	put_bytes(buf, bytes, length, "\\", TEXT_STRINGS_OCTAL);
}
