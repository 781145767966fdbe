// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "output/quote.h"

static bool is_octal_digit(uint8_t c)
{
	return c >= '0' && c <= '7';
}

static void put_octal(struct buf *buf, uint8_t c, bool digit_follows)
{
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

static void put_escape(struct buf *buf, uint8_t c, bool digit_follows)
{
	static const char letters[] = {
		['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'};

	if (c == '"' || c == '\\') {
		buf_char(buf, '\\');
		buf_char(buf, c);
	} else if (c < sizeof(letters) && letters[c]) {
		buf_char(buf, '\\');
		buf_char(buf, letters[c]);
	} else {
		put_octal(buf, c, digit_follows);
	}
}

// Appends @bytes; those that are not printable or in @special are escaped.
static void put_bytes(struct buf *buf, const uint8_t *bytes, size_t length, const char *special)
{
	size_t start = 0;

	for (size_t i = 0; i < length; i++) {
		uint8_t c = bytes[i];

		if (c >= ' ' && c <= '~' && !strchr(special, c))
			continue;
		buf_bytes(buf, bytes + start, i - start);
		put_escape(buf, c, i + 1 < length && is_octal_digit(bytes[i + 1]));
		start = i + 1;
	}
	buf_bytes(buf, bytes + start, length - start);
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

void quote_string(struct buf *buf, const void *bytes, size_t length, bool hex_only)
{
	buf_char(buf, '"');
	if (hex_only)
		put_hex(buf, bytes, length);
	else
		put_bytes(buf, bytes, length, "\"\\");
	buf_char(buf, '"');
}

void quote_angled(struct buf *buf, const void *bytes, size_t length)
{
	put_bytes(buf, bytes, length, "\"\\<>");
}

void quote_plain(struct buf *buf, const void *bytes, size_t length)
{
	put_bytes(buf, bytes, length, "\\");
}
