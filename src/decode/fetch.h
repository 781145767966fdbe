// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_FETCH_H
#define SRC_DECODE_FETCH_H

/**
 * Bytes and integers of the tracee, by ABI. All reading of tracee memory goes
 * through here, and is charged to the walk's budget.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

struct walk;

/** Where a value stands: in a register, or in memory, perhaps already fetched. */
struct place {
	/** @number is the value; the rest is unused. */
	bool in_register;
	uint64_t number;
	taddr address;
	/** Bytes at @address that were fetched with what is around them; may be NULL. */
	const uint8_t *data;
	size_t available;
};

struct place place_register(uint64_t number);
struct place place_memory(taddr address);
/** Already fetched: @data are @available bytes at @address. */
struct place place_fetched(taddr address, const void *data, size_t available);
/** @offset bytes behind @place, which is in memory. */
struct place place_offset(const struct place *place, uint64_t offset);

/** All @size bytes at @place, in the arena or as fetched before; NULL if one is unreadable. */
const uint8_t *fetch_bytes(struct walk *walk, const struct place *place, size_t size);
/** The leading bytes of @size at @place that are readable, in the arena; *@got is how many. */
const uint8_t *fetch_some(struct walk *walk, const struct place *place, size_t size, size_t *got);
/** An integer of @size bytes (1 to 8); false if it is unreadable. */
bool fetch_number(struct walk *walk, const struct place *place, unsigned size, bool is_signed,
	bool big_endian, uint64_t *ret);
/** An unsigned integer as wide as an address. */
bool fetch_word(struct walk *walk, const struct place *place, uint64_t *ret);

/** The integer in @size bytes (at most 8) at @data. */
uint64_t bytes_to_number(const uint8_t *data, unsigned size, bool is_signed, bool big_endian);

#endif
