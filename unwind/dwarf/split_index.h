// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_SPLIT_INDEX_H
#define UNWIND_DWARF_SPLIT_INDEX_H

/**
 * The index of a .dwp file: which parts of its sections belong to a unit. DWARF 5,
 * 7.3.5, and what it was in GCC's "DebugFissionDWP" before.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/** Sections that a unit has a part of, at most. */
	SPLIT_PARTS_MAX = 8,
};

struct split_part {
	/** Without .dwo, such as ".debug_info". */
	const char *section;
	uint32_t offset;
	uint32_t size;
};

/**
 * The parts of unit @id in the section .debug_cu_index at @data; returns how many,
 * 0 if it is not there or the index is damaged.
 */
size_t split_index_find(
	const uint8_t *data, size_t size, uint64_t id, struct split_part ret[SPLIT_PARTS_MAX]);

#endif
