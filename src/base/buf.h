// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_BUF_H
#define SRC_BASE_BUF_H

/** Text under construction. Appending cannot fail. */

#include <stddef.h>
#include <stdint.h>

/** Zero-initialised is empty and valid. @data is not NUL-terminated, see buf_text(). */
struct buf {
	char *data;
	size_t length;
	size_t capacity;
};

/** Frees the memory; the buffer is empty and usable again. */
void buf_deinit(struct buf *buf);
/** Makes the buffer empty, keeping its memory. */
void buf_reset(struct buf *buf);
/** Room for @more bytes at the end, to be filled by the caller who then adds to length. */
char *buf_reserve(struct buf *buf, size_t more);
/** The contents as a C string, valid until the next change. */
const char *buf_text(struct buf *buf);

void buf_char(struct buf *buf, char c);
void buf_bytes(struct buf *buf, const void *data, size_t length);
void buf_string(struct buf *buf, const char *text);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** @value in decimal. */
void buf_unsigned(struct buf *buf, uint64_t value);
void buf_signed(struct buf *buf, int64_t value);
/** @value as 0x1f; zero is "0x0" here, callers that want "0" say so. */
void buf_hex(struct buf *buf, uint64_t value);
/** Spaces until the length is at least @column. */
void buf_pad(struct buf *buf, size_t column);

#endif
