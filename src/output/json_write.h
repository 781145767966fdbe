// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_JSON_WRITE_H
#define SRC_OUTPUT_JSON_WRITE_H

/**
 * Writes JSON (RFC 8259) piece by piece. Every value is followed by a comma,
 * which json_close() takes back, so the pieces need not know their neighbours.
 * Knows nothing of what is written.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct buf;

/** `{` or `[` */
void json_open(struct buf *buf, char bracket);
/** `}` or `]`, and a comma. */
void json_close(struct buf *buf, char bracket);
/** `"KEY":` */
void json_key(struct buf *buf, const char *key);
void json_null(struct buf *buf);
void json_bool(struct buf *buf, bool value);
void json_signed(struct buf *buf, int64_t value);
void json_unsigned(struct buf *buf, uint64_t value);
/** Seconds with nine decimals. */
void json_seconds(struct buf *buf, struct timespec value);
/** RFC 3339 in UTC with nine decimals, as a string. */
void json_time(struct buf *buf, struct timespec value);
/** @bytes as a string; each byte that is not part of valid UTF-8 becomes U+FFFD. */
void json_string(struct buf *buf, const void *bytes, size_t length);
/** A C string. */
void json_text(struct buf *buf, const char *text);
/** @bytes as a string of hex digits. */
void json_hex(struct buf *buf, const void *bytes, size_t length);
/** `"KEY":"text"`, and if @bytes is not valid UTF-8 also `"KEY_hex":"..."`. */
void json_bytes_member(struct buf *buf, const char *key, const void *bytes, size_t length);
/** Whether json_string() loses nothing. */
bool json_is_utf8(const void *bytes, size_t length);

#endif
