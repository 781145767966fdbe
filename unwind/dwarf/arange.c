// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/arange.h"

/** The entries of one set, at which @set is, up to the one that is zero. */
static void read_entries(
	struct dwarf_bytes *set, unsigned address_size, uint64_t unit, arange_fn *fn, void *context)
{
	while (!set->is_bad) {
		uint64_t low = dwarf_bytes_fixed(set, address_size);
		uint64_t length = dwarf_bytes_fixed(set, address_size);

		if (set->is_bad || (!low && !length))
			return;
		if (length <= UINT64_MAX - low)
			fn(context, unit, low, low + length);
	}
}

void arange_read(const struct dwarf_bytes *section, arange_fn *fn, void *context)
{
	struct dwarf_bytes bytes = *section;

	while (bytes.at < bytes.end) {
		const uint8_t *start = bytes.at;
		unsigned offset_size, address_size, version;
		uint64_t length = dwarf_bytes_length(&bytes, &offset_size), unit;
		struct dwarf_bytes set = bytes;

		dwarf_bytes_skip(&bytes, length);
		if (bytes.is_bad)
			return;
		set.end = bytes.at;
		version = (unsigned)dwarf_bytes_fixed(&set, 2);
		unit = dwarf_bytes_fixed(&set, offset_size);
		address_size = dwarf_bytes_u8(&set);
		// There is no machine with segments, whose size comes next.
		if (version != 2 || dwarf_bytes_u8(&set) ||
			(address_size != 4 && address_size != 8))
			return;
		// Entries are aligned to their size, counted from the start of the set.
		dwarf_bytes_skip(&set, -(uint64_t)(set.at - start) % (2 * (uint64_t)address_size));
		read_entries(&set, address_size, unit, fn, context);
	}
}
