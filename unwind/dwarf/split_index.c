// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/split_index.h"

#include <string.h>

enum { HEADER = 16 };

/** An index that was checked to be whole. */
struct index {
	const uint8_t *data;
	/** 2 is what GCC made before DWARF 5. */
	uint32_t version;
	uint32_t columns, units, slots;
	/** Where the tables begin. */
	size_t rows, names, offsets, sizes;
};

static uint32_t get32(const uint8_t *data)
{
	uint32_t value;

	memcpy(&value, data, sizeof(value));
	return value;
}

static uint64_t get64(const uint8_t *data)
{
	uint64_t value;

	memcpy(&value, data, sizeof(value));
	return value;
}

static const char *section_name(uint32_t version, uint32_t number)
{
	static const char *const old[] = {NULL, ".debug_info", ".debug_types", ".debug_abbrev",
		".debug_line", ".debug_loc", ".debug_str_offsets", ".debug_macinfo",
		".debug_macro"};
	static const char *const standard[] = {NULL, ".debug_info", NULL, ".debug_abbrev",
		".debug_line", ".debug_loclists", ".debug_str_offsets", ".debug_macro",
		".debug_rnglists"};

	if (number >= sizeof(old) / sizeof(old[0]))
		return NULL;
	return version == 2 ? old[number] : standard[number];
}

static bool read_index(const uint8_t *data, size_t size, struct index *ret)
{
	uint64_t end;

	if (size < HEADER)
		return false;
	// Version 5 is two bytes and padding.
	*ret = (struct index){.data = data,
		.version = get32(data) & 0xffff,
		.columns = get32(data + 4),
		.units = get32(data + 8),
		.slots = get32(data + 12)};
	if ((ret->version != 2 && ret->version != 5) || ret->columns > 64 || !ret->slots ||
		ret->slots & (ret->slots - 1) || ret->slots > size || ret->units > size)
		return false;
	ret->rows = HEADER + 8 * (size_t)ret->slots;
	ret->names = ret->rows + 4 * (size_t)ret->slots;
	ret->offsets = ret->names + 4 * (size_t)ret->columns;
	ret->sizes = ret->offsets + 4 * (size_t)ret->columns * ret->units;
	end = ret->sizes + 4 * (uint64_t)ret->columns * ret->units;
	return end <= size;
}

/** The number of the row of @id, counted from 1; 0: not there. */
static uint32_t find_row(const struct index *index, uint64_t id)
{
	uint64_t mask = index->slots - 1;
	uint64_t slot = id & mask, step = ((id >> 32) & mask) | 1;

	for (uint32_t i = 0; i < index->slots; i++) {
		uint32_t row = get32(index->data + index->rows + 4 * slot);

		if (!row)
			return 0;
		if (get64(index->data + HEADER + 8 * slot) == id)
			return row <= index->units ? row : 0;
		slot = (slot + step) & mask;
	}
	return 0;
}

size_t split_index_find(
	const uint8_t *data, size_t size, uint64_t id, struct split_part ret[SPLIT_PARTS_MAX])
{
	struct index index;
	size_t count = 0;
	uint32_t row;

	if (!read_index(data, size, &index))
		return 0;
	row = find_row(&index, id);
	for (uint32_t i = 0; row && i < index.columns && count < SPLIT_PARTS_MAX; i++) {
		size_t place = 4 * ((size_t)(row - 1) * index.columns + i);
		const char *name =
			section_name(index.version, get32(data + index.names + 4 * (size_t)i));

		if (name)
			ret[count++] =
				(struct split_part){name, get32(data + index.offsets + place),
					get32(data + index.sizes + place)};
	}
	return count;
}
