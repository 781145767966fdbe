// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_DWARF_BYTES_H
#define UNWIND_DWARF_DWARF_BYTES_H

/**
 * Numbers and strings of DWARF, one after the other, never beyond the end: what would
 * go beyond is 0, the rest is nothing then, and @is_bad is set. Little-endian, as all
 * files that are opened. Formats: DWARF 5, 7.6 and 7.26.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct dwarf_bytes {
	const uint8_t *at, *end;
	bool is_bad;
};

/** Nothing more can be read. */
static inline void dwarf_bytes_fail(struct dwarf_bytes *bytes)
{
	bytes->is_bad = true;
	bytes->at = bytes->end;
}

static inline bool dwarf_bytes_has(const struct dwarf_bytes *bytes, uint64_t size)
{
	return size <= (uint64_t)(bytes->end - bytes->at);
}

static inline void dwarf_bytes_skip(struct dwarf_bytes *bytes, uint64_t size)
{
	if (dwarf_bytes_has(bytes, size))
		bytes->at += size;
	else
		dwarf_bytes_fail(bytes);
}

/** A number of @size bytes, at most 8. */
static inline uint64_t dwarf_bytes_fixed(struct dwarf_bytes *bytes, unsigned size)
{
	uint64_t value = 0;

	if (!dwarf_bytes_has(bytes, size)) {
		dwarf_bytes_fail(bytes);
		return 0;
	}
	memcpy(&value, bytes->at, size);
	bytes->at += size;
	return value;
}

static inline uint8_t dwarf_bytes_u8(struct dwarf_bytes *bytes)
{
	if (bytes->at == bytes->end) {
		bytes->is_bad = true;
		return 0;
	}
	return *bytes->at++;
}

/** Sets *@shift_ret to the number of bits that were there. */
static inline uint64_t dwarf_bytes_leb(struct dwarf_bytes *bytes, unsigned *shift_ret)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = dwarf_bytes_u8(bytes);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	*shift_ret = shift;
	return value;
}

/** ULEB128; bits beyond 64 are dropped. */
static inline uint64_t dwarf_bytes_unsigned(struct dwarf_bytes *bytes)
{
	unsigned shift;

	return dwarf_bytes_leb(bytes, &shift);
}

/** SLEB128. */
static inline int64_t dwarf_bytes_signed(struct dwarf_bytes *bytes)
{
	unsigned shift;
	uint64_t value = dwarf_bytes_leb(bytes, &shift);

	if (shift < 64 && value >> (shift - 1) & 1)
		value |= UINT64_MAX << shift;
	return (int64_t)value;
}

/** A string that ends with a zero; NULL if it does not end. */
static inline const char *dwarf_bytes_string(struct dwarf_bytes *bytes)
{
	const uint8_t *start = bytes->at;
	const uint8_t *zero =
		bytes->at < bytes->end ? memchr(start, 0, (size_t)(bytes->end - start)) : NULL;

	if (!zero) {
		dwarf_bytes_fail(bytes);
		return NULL;
	}
	bytes->at = zero + 1;
	return (const char *)start;
}

/** The length that units and tables begin with, which says how large offsets are: 4 or 8. */
static inline uint64_t dwarf_bytes_length(struct dwarf_bytes *bytes, unsigned *offset_size_ret)
{
	uint64_t length = dwarf_bytes_fixed(bytes, 4);

	*offset_size_ret = 4;
	if (length < 0xfffffff0)
		return length;
	*offset_size_ret = 8;
	if (length != 0xffffffff)
		dwarf_bytes_fail(bytes);
	return dwarf_bytes_fixed(bytes, 8);
}

#endif
