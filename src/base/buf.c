// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void buf_deinit(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

void buf_reset(struct buf *buf)
{
	buf->length = 0;
}

char *buf_reserve(struct buf *buf, size_t more)
{
	if (buf->capacity - buf->length < more) {
		size_t capacity = buf->capacity ? buf->capacity : 128;

		while (capacity - buf->length < more)
			capacity *= 2;
		buf->data = xreallocarray(buf->data, capacity, 1);
		buf->capacity = capacity;
	}
	return buf->data + buf->length;
}

const char *buf_text(struct buf *buf)
{
	*buf_reserve(buf, 1) = '\0';
	return buf->data;
}

void buf_char(struct buf *buf, char c)
{
	*buf_reserve(buf, 1) = c;
	buf->length++;
}

void buf_bytes(struct buf *buf, const void *data, size_t length)
{
	if (!length)
		return;
	memcpy(buf_reserve(buf, length), data, length);
	buf->length += length;
}

void buf_string(struct buf *buf, const char *text)
{
	buf_bytes(buf, text, strlen(text));
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length > 0) {
		vsnprintf(buf_reserve(buf, (size_t)length + 1), (size_t)length + 1, format, again);
		buf->length += (size_t)length;
	}
	va_end(again);
}

void buf_unsigned(struct buf *buf, uint64_t value)
{
	char digits[20];
	size_t start = sizeof(digits);

	do {
		digits[--start] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	buf_bytes(buf, digits + start, sizeof(digits) - start);
}

void buf_signed(struct buf *buf, int64_t value)
{
	if (value < 0) {
		buf_char(buf, '-');
		buf_unsigned(buf, 0 - (uint64_t)value);
	} else {
		buf_unsigned(buf, (uint64_t)value);
	}
}

void buf_hex(struct buf *buf, uint64_t value)
{
	char digits[16];
	size_t start = sizeof(digits);

	do {
		digits[--start] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	buf_bytes(buf, "0x", 2);
	buf_bytes(buf, digits + start, sizeof(digits) - start);
}

void buf_pad(struct buf *buf, size_t column)
{
	while (buf->length < column)
		buf_char(buf, ' ');
}
