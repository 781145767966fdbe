// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/split_ranges.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

enum {
	/** Ranges of one list. */
	RANGES_MAX = 1 << 16,
	/** Of .debug_rnglists with 32-bit offsets: DWARF 5, 7.28. */
	LISTS_HEADER = 12,
};

/** A list being read. */
struct cursor {
	const struct split_addresses *addresses;
	size_t position;
	bool is_bad;
};

static uint64_t get_fixed(struct cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if (size > cursor->addresses->lists_size - cursor->position) {
		cursor->is_bad = true;
		return 0;
	}
	memcpy(&value, cursor->addresses->lists + cursor->position, size);
	cursor->position += size;
	return value;
}

static uint64_t get_uleb(struct cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = get_fixed(cursor, 1);

		value |= (byte & 0x7f) << shift;
		if (cursor->is_bad || !(byte & 0x80))
			return value;
	}
	cursor->is_bad = true;
	return 0;
}

static uint64_t get_indexed(struct cursor *cursor)
{
	const struct split_addresses *addresses = cursor->addresses;
	uint64_t index = get_uleb(cursor), value = 0;
	size_t size = addresses->address_size;

	if (index >= addresses->table_size / size) {
		cursor->is_bad = true;
		return 0;
	}
	memcpy(&value, addresses->table + index * size, size);
	return value;
}

/** One entry of DWARF 5; false at the end. Empty if it is no range. */
static bool read_entry(struct cursor *cursor, uint64_t *base, uint64_t *low, uint64_t *high)
{
	size_t size = cursor->addresses->address_size;

	*low = *high = 0;
	switch (get_fixed(cursor, 1)) {
	case DW_RLE_base_addressx:
		*base = get_indexed(cursor);
		break;
	case DW_RLE_startx_endx:
		*low = get_indexed(cursor);
		*high = get_indexed(cursor);
		break;
	case DW_RLE_startx_length:
		*low = get_indexed(cursor);
		*high = *low + get_uleb(cursor);
		break;
	case DW_RLE_offset_pair:
		*low = *base + get_uleb(cursor);
		*high = *base + get_uleb(cursor);
		break;
	case DW_RLE_base_address:
		*base = get_fixed(cursor, size);
		break;
	case DW_RLE_start_end:
		*low = get_fixed(cursor, size);
		*high = get_fixed(cursor, size);
		break;
	case DW_RLE_start_length:
		*low = get_fixed(cursor, size);
		*high = *low + get_uleb(cursor);
		break;
	default:
		return false;
	}
	return !cursor->is_bad;
}

/** The same before DWARF 5: pairs. */
static bool read_pair(struct cursor *cursor, uint64_t *base, uint64_t *low, uint64_t *high)
{
	size_t size = cursor->addresses->address_size;
	uint64_t largest = size == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t first = get_fixed(cursor, size), second = get_fixed(cursor, size);

	*low = *high = 0;
	if (cursor->is_bad || (!first && !second))
		return false;
	if (first == largest) {
		*base = second;
	} else {
		*low = *base + first;
		*high = *base + second;
	}
	return true;
}

/** The number that @attribute holds, read from its bytes: libdw would want to resolve it. */
static bool raw_index(const Dwarf_Attribute *attribute, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 5; i++) {
		value |= (uint64_t)(attribute->valp[i] & 0x7f) << 7 * i;
		if (!(attribute->valp[i] & 0x80)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

static bool find_list(
	const struct split_addresses *addresses, Dwarf_Attribute *attribute, struct cursor *cursor)
{
	Dwarf_Word offset;
	uint64_t index;

	*cursor = (struct cursor){.addresses = addresses};
	if (dwarf_whatform(attribute) != DW_FORM_rnglistx) {
		if (dwarf_formudata(attribute, &offset) || offset >= addresses->lists_size)
			return false;
		cursor->position = (size_t)offset;
		return true;
	}
	if (!raw_index(attribute, &index) || index > addresses->lists_size / 4)
		return false;
	cursor->position = LISTS_HEADER + 4 * (size_t)index;
	if (cursor->position >= addresses->lists_size)
		return false;
	offset = get_fixed(cursor, 4);
	cursor->position = LISTS_HEADER + (size_t)offset;
	return !cursor->is_bad && cursor->position < addresses->lists_size;
}

static void read_list(const struct split_addresses *addresses, struct cursor *cursor,
	split_range_fn *fn, void *context)
{
	uint64_t base = addresses->base, low, high;

	for (int i = 0; i < RANGES_MAX; i++) {
		if (addresses->version >= 5 ? !read_entry(cursor, &base, &low, &high)
					    : !read_pair(cursor, &base, &low, &high))
			return;
		if (low < high)
			fn(context, low, high);
	}
}

void split_ranges_read(const struct split_addresses *addresses, Dwarf_Attribute *attribute,
	split_range_fn *fn, void *context)
{
	struct cursor cursor;

	if (find_list(addresses, attribute, &cursor))
		read_list(addresses, &cursor, fn, context);
}

void split_ranges_read_at(
	const struct split_addresses *addresses, uint64_t offset, split_range_fn *fn, void *context)
{
	struct cursor cursor = {.addresses = addresses, .position = (size_t)offset};

	if (offset < addresses->lists_size)
		read_list(addresses, &cursor, fn, context);
}

void split_section(Elf *elf, const char *wanted, const uint8_t **data_ret, size_t *size_ret)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		data = name && !strcmp(name, wanted) ? elf_getdata(section, NULL) : NULL;
		if (data && data->d_buf) {
			*data_ret = data->d_buf;
			*size_ret = data->d_size;
		}
	}
}

void split_addresses_init(
	struct split_addresses *ret, Elf *joined, Dwarf_Die *skeleton, Dwarf_Die *unit)
{
	Dwarf_Half version = 4;
	Dwarf_Addr base;
	uint8_t size = 8;

	dwarf_cu_die(unit->cu, &(Dwarf_Die){0}, &version, NULL, &size, NULL, NULL, NULL);
	*ret = (struct split_addresses){.version = version, .address_size = size == 4 ? 4 : 8};
	if (!dwarf_lowpc(skeleton, &base))
		ret->base = base;
	split_section(joined, ".debug_addr", &ret->table, &ret->table_size);
	split_section(joined, version >= 5 ? ".debug_rnglists" : ".debug_ranges", &ret->lists,
		&ret->lists_size);
}
