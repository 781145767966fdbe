// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/buf.h"
#include "output/json_write.h"

void json_open(struct buf *buf, char bracket)
{
	buf_char(buf, bracket);
}

void json_close(struct buf *buf, char bracket)
{
	if (buf->length && buf->data[buf->length - 1] == ',')
		buf->length--;
	buf_char(buf, bracket);
	buf_char(buf, ',');
}

void json_null(struct buf *buf)
{
	buf_string(buf, "null,");
}

void json_bool(struct buf *buf, bool value)
{
	buf_string(buf, value ? "true," : "false,");
}

void json_signed(struct buf *buf, int64_t value)
{
	buf_signed(buf, value);
	buf_char(buf, ',');
}

void json_unsigned(struct buf *buf, uint64_t value)
{
	buf_unsigned(buf, value);
	buf_char(buf, ',');
}

void json_seconds(struct buf *buf, struct timespec value)
{
	buf_printf(buf, "%lld.%09ld,", (long long)value.tv_sec, value.tv_nsec);
}

void json_time(struct buf *buf, struct timespec value)
{
	struct tm utc;
	char text[32];

	if (!gmtime_r(&value.tv_sec, &utc) ||
		!strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc)) {
		json_null(buf);
		return;
	}
	buf_printf(buf, "\"%s.%09ldZ\",", text, value.tv_nsec);
}

// Length of the UTF-8 sequence at @bytes, its code point in *@ret; 0 if there is no valid one.
// RFC 3629, section 4: shortest form only, no surrogates, nothing above U+10FFFF.
static size_t utf8_sequence(const uint8_t *bytes, size_t length, uint32_t *ret)
{
	uint32_t code, least;
	size_t size;

	if (bytes[0] < 0x80) {
		*ret = bytes[0];
		return 1;
	}
	if (bytes[0] >= 0xc2 && bytes[0] <= 0xdf)
		size = 2, code = bytes[0] & 0x1f, least = 0x80;
	else if (bytes[0] >= 0xe0 && bytes[0] <= 0xef)
		size = 3, code = bytes[0] & 0x0f, least = 0x800;
	else if (bytes[0] >= 0xf0 && bytes[0] <= 0xf4)
		size = 4, code = bytes[0] & 0x07, least = 0x10000;
	else
		return 0;
	if (size > length)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (bytes[i] & 0x3f);
	}
	if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret = code;
	return size;
}

bool json_is_utf8(const void *data, size_t length)
{
	const uint8_t *bytes = data;
	uint32_t code;

	for (size_t i = 0; i < length;) {
		size_t size = utf8_sequence(bytes + i, length - i, &code);

		if (!size)
			return false;
		i += size;
	}
	return true;
}

// Control characters must be escaped below U+0020; DEL and U+0080 to U+009F are escaped
// because a terminal may obey them.
static bool needs_escape(uint32_t code)
{
	return code < 0x20 || code == '"' || code == '\\' || (code >= 0x7f && code <= 0x9f);
}

static void put_escape(struct buf *buf, uint32_t code)
{
	switch (code) {
	case '"':
	case '\\':
		buf_char(buf, '\\');
		buf_char(buf, (char)code);
		break;
	case '\n':
		buf_string(buf, "\\n");
		break;
	case '\t':
		buf_string(buf, "\\t");
		break;
	case '\r':
		buf_string(buf, "\\r");
		break;
	default:
		buf_printf(buf, "\\u%04x", code);
		break;
	}
}

void json_string(struct buf *buf, const void *data, size_t length)
{
	const uint8_t *bytes = data;
	size_t start = 0, i = 0;

	buf_char(buf, '"');
	while (i < length) {
		uint32_t code = 0;
		size_t size = utf8_sequence(bytes + i, length - i, &code);

		if (size && !needs_escape(code)) {
			i += size;
			continue;
		}
		buf_bytes(buf, bytes + start, i - start);
		if (size)
			put_escape(buf, code);
		else
			buf_string(buf, "\xef\xbf\xbd");
		i += size ? size : 1;
		start = i;
	}
	buf_bytes(buf, bytes + start, length - start);
	buf_string(buf, "\",");
}

void json_text(struct buf *buf, const char *text)
{
	json_string(buf, text, strlen(text));
}

void json_key(struct buf *buf, const char *key)
{
	json_text(buf, key);
	buf->data[buf->length - 1] = ':';
}

void json_hex(struct buf *buf, const void *data, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *bytes = data;
	char *end = buf_reserve(buf, 2 * length + 3);

	*end++ = '"';
	for (size_t i = 0; i < length; i++) {
		*end++ = digits[bytes[i] >> 4];
		*end++ = digits[bytes[i] & 15];
	}
	*end++ = '"';
	*end = ',';
	buf->length += 2 * length + 3;
}

void json_bytes_member(struct buf *buf, const char *key, const void *bytes, size_t length)
{
	json_key(buf, key);
	json_string(buf, bytes, length);
	if (json_is_utf8(bytes, length))
		return;
	json_key(buf, key);
	buf->length -= 2;
	buf_string(buf, "_hex\":");
	json_hex(buf, bytes, length);
}
