// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_SPLIT_RANGES_H
#define UNWIND_DWARF_SPLIT_RANGES_H

/**
 * Lists of ranges of a unit. Those of a split unit libdw could read if it had found the unit
 * by itself; alone it does not know what they count from. Those of others it reads slowly.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/dwarf/split.h"

/** Where the lists are and what they count from. The data belongs to the files. */
struct split_addresses {
	uint16_t version;
	uint8_t address_size;
	/** Where the unit begins, or 0. */
	uint64_t base;
	/** Lists, from what offsets count from. */
	const uint8_t *lists;
	size_t lists_size;
	/** Addresses by number. */
	const uint8_t *table;
	size_t table_size;
};

/** The last section called @wanted; leaves the results alone if there is none. */
void split_section(Elf *elf, const char *wanted, const uint8_t **data_ret, size_t *size_ret);
/** @joined has the sections of @unit, the rest of @skeleton. */
void split_addresses_init(
	struct split_addresses *ret, Elf *joined, Dwarf_Die *skeleton, Dwarf_Die *unit);
/** Calls @fn for each range of the list that @attribute, a DW_AT_ranges, stands for. */
void split_ranges_read(const struct split_addresses *addresses, Dwarf_Attribute *attribute,
	split_range_fn *fn, void *context);
/** The same for the list at @offset. */
void split_ranges_read_at(const struct split_addresses *addresses, uint64_t offset,
	split_range_fn *fn, void *context);

#endif
