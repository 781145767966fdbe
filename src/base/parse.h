// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_PARSE_H
#define SRC_BASE_PARSE_H

/** Numbers and lists from text typed by a person or printed by the kernel. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The whole of @text as a decimal or 0x number; false (and *@ret unchanged) if it is not one. */
bool parse_u64(const char *text, uint64_t *ret);
/** The whole of @text as a decimal number from 0 to INT_MAX. */
bool parse_int(const char *text, int *ret);
/** Hex digits at *@cursor, which moves past them; false if there is none or it overflows. */
bool parse_hex_at(const char **cursor, uint64_t *ret);
/** Decimal digits at *@cursor, which moves past them; false if there is none or it overflows. */
bool parse_decimal_at(const char **cursor, uint64_t *ret);
/**
 * A duration: a number (fractions allowed) with ns, us, ms or s; no unit means seconds.
 * In nanoseconds; false if it is not one or does not fit.
 */
bool parse_duration(const char *text, uint64_t *ret);
/** The same, but a number without unit counts @unit nanoseconds, and may be like 1e3. */
bool parse_duration_in(const char *text, uint64_t unit, uint64_t *ret);
/** A size in bytes from 1 to @most, decimal, with k, M or G for powers of 1024. */
bool parse_size(const char *text, uint64_t most, uint64_t *ret);
/**
 * The next item of a list separated by @separator. *@cursor moves past it and becomes
 * NULL after the last one. False when *@cursor is NULL.
 */
bool parse_list(const char **cursor, char separator, const char **item, size_t *length);

#endif
