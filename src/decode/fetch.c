// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/fetch.h"

#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "decode/walk.h"
#include "proc/view.h"

struct place place_register(uint64_t number)
{
	return (struct place){.in_register = true, .number = number};
}

struct place place_memory(taddr address)
{
	return (struct place){.address = address};
}

struct place place_fetched(taddr address, const void *data, size_t available)
{
	return (struct place){.address = address, .data = data, .available = available};
}

struct place place_offset(const struct place *place, uint64_t offset)
{
	struct place moved = place_memory(place->address + offset);

	if (place->data && offset < place->available) {
		moved.data = place->data + offset;
		moved.available = place->available - (size_t)offset;
	}
	return moved;
}

// Reads into memory of ours; what is over budget counts as unreadable.
static size_t read_memory(struct walk *walk, taddr address, void *data, size_t size)
{
	if (size > walk->bytes_left)
		size = walk->bytes_left;
	walk->bytes_left -= size;
	return size ? view_read(walk->view, address, data, size) : 0;
}

const uint8_t *fetch_bytes(struct walk *walk, const struct place *place, size_t size)
{
	size_t got;
	const uint8_t *data;

	if (place->in_register)
		return NULL;
	if (place->data && size <= place->available)
		return place->data;
	if (size > walk->bytes_left)
		return NULL;
	data = fetch_some(walk, place, size, &got);
	return got == size ? data : NULL;
}

const uint8_t *fetch_some(struct walk *walk, const struct place *place, size_t size, size_t *got)
{
	uint8_t *data;

	*got = 0;
	if (place->in_register)
		return NULL;
	if (place->data && size <= place->available) {
		*got = size;
		return place->data;
	}
	if (size > walk->bytes_left)
		size = walk->bytes_left;
	data = arena_alloc(walk->arena, size);
	*got = read_memory(walk, place->address, data, size);
	return data;
}

uint64_t bytes_to_number(const uint8_t *data, unsigned size, bool is_signed, bool big_endian)
{
	uint64_t number = 0;

	if (big_endian) {
		for (unsigned i = 0; i < size; i++)
			number = number << 8 | data[i];
	} else {
		memcpy(&number, data, size);
	}
	return is_signed ? sign_extend(number, size) : number;
}

bool fetch_number(struct walk *walk, const struct place *place, unsigned size, bool is_signed,
	bool big_endian, uint64_t *ret)
{
	uint8_t own[8];
	const uint8_t *data = own;

	if (size == 0 || size > sizeof(own))
		size = walk->word;
	if (place->in_register) {
		*ret = is_signed ? sign_extend(place->number, size)
				 : zero_extend(place->number, size);
		return true;
	}
	if (place->data && size <= place->available)
		data = place->data;
	else if (read_memory(walk, place->address, own, size) != size)
		return false;
	*ret = bytes_to_number(data, size, is_signed, big_endian);
	return true;
}

bool fetch_word(struct walk *walk, const struct place *place, uint64_t *ret)
{
	return fetch_number(walk, place, walk->word, false, false, ret);
}
