// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_BITS_H
#define SRC_BASE_BITS_H

/** Bit sets over arrays of 64-bit words, and alignment. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Words needed for @count bits. */
#define BITS_WORDS(count) (((count) + 63) / 64)

static inline void bits_set(uint64_t *words, size_t bit)
{
	words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void bits_clear(uint64_t *words, size_t bit)
{
	words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

static inline bool bits_test(const uint64_t *words, size_t bit)
{
	return words[bit / 64] >> (bit % 64) & 1;
}

/** @value rounded up to a multiple of @alignment, a power of two. */
static inline uint64_t align_up(uint64_t value, uint64_t alignment)
{
	return (value + alignment - 1) & ~(alignment - 1);
}

/** The low @size bytes (1 to 8) of @value, sign-extended to 64 bits. */
static inline uint64_t sign_extend(uint64_t value, unsigned size)
{
	unsigned shift = 64 - 8 * size;

	return size >= 8 ? value : (uint64_t)((int64_t)(value << shift) >> shift);
}

/** The low @size bytes (1 to 8) of @value, the rest zero. */
static inline uint64_t zero_extend(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

#endif
