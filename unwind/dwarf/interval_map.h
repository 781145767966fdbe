// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_INTERVAL_MAP_H
#define UNWIND_DWARF_INTERVAL_MAP_H

/**
 * Address intervals that may nest, with a number each; asked which is the
 * innermost one around an address. Filled, then sealed (flattened to a sorted
 * list without overlaps), then asked: a look-up is one binary search.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

/** The number that stands for no interval. */
#define INTERVAL_NONE UINT32_MAX

struct interval {
	uint64_t low;
	/** First address behind it. */
	uint64_t high;
	uint32_t value;
	/** Order of adding. */
	uint32_t order;
};

struct interval_segment {
	/** Up to the start of the next one. */
	uint64_t start;
	uint32_t value;
};

/** Zero-initialised is empty and valid. */
struct interval_map {
	ARRAY(struct interval) intervals;
	ARRAY(struct interval_segment) segments;
};

void interval_map_deinit(struct interval_map *map);
/** Empty intervals are left out. Of equal ones the one added last is the inner one. */
void interval_map_add(struct interval_map *map, uint64_t low, uint64_t high, uint32_t value);
/** The interval added as number @index, from 0, ends at @high. */
void interval_map_end(struct interval_map *map, size_t index, uint64_t high);
/** Must be called once after the last addition. */
void interval_map_seal(struct interval_map *map);
/** The number of the innermost interval around @address, or INTERVAL_NONE. */
uint32_t interval_map_find(const struct interval_map *map, uint64_t address);

#endif
