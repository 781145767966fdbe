// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/bytes.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "decode/call.h"
#include "decode/decoder.h"
#include "decode/eval.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

enum {
	PAGE = 4096,
	/** Most strings are shorter. */
	FIRST_CHUNK = 128,
};

static struct value *bytes_node(struct walk *walk, const struct type *type, const uint8_t *data,
	size_t length, bool truncated)
{
	struct value *value = value_create(walk->arena, VALUE_BYTES);

	value->bytes = data;
	value->length = length;
	value->truncated = truncated;
	if (!type)
		return value;
	value->role = type->role;
	value->hex_only = type->hex_only;
	value->dirfd = AT_FDCWD;
	if (type->role != ROLE_PATH)
		return value;
	if (type->dirfd_arg >= 0)
		value->dirfd = (int)walk->args[type->dirfd_arg];
	else if (type->dirfd)
		value->dirfd = (int)eval(walk, type->dirfd);
	value->nofollow = type->nofollow && eval(walk, type->nofollow);
	value->rooted = type->rooted && eval(walk, type->rooted);
	value->program = type->program;
	value->beside = type->beside;
	return value;
}

/** Bytes of a string, read piece by piece. */
struct text {
	const uint8_t *data;
	size_t length;
	size_t capacity;
};

static void text_add(struct walk *walk, struct text *text, const uint8_t *data, size_t length)
{
	size_t wanted = text->length + length;
	size_t capacity = text->capacity ? text->capacity : 2 * FIRST_CHUNK;
	uint8_t *grown;

	while (capacity < wanted)
		capacity *= 2;
	grown = (uint8_t *)text->data;
	if (capacity != text->capacity) {
		grown = arena_alloc(walk->arena, capacity);
		if (text->length)
			memcpy(grown, text->data, text->length);
	}
	if (length)
		memcpy(grown + text->length, data, length);
	*text = (struct text){grown, wanted, capacity};
}

// Reads up to a NUL (*@terminated, not counted) or @most bytes; false if a byte is unreadable.
static bool read_text(struct walk *walk, const struct place *place, size_t most, struct text *text,
	bool *terminated)
{
	*terminated = false;
	while (text->length < most) {
		struct place next = place_offset(place, text->length);
		size_t chunk = PAGE - (size_t)(next.address % PAGE);
		size_t got;
		const uint8_t *nul;
		const uint8_t *data;

		if (text->length == 0 && chunk > FIRST_CHUNK)
			chunk = FIRST_CHUNK;
		if (chunk > most - text->length)
			chunk = most - text->length;
		if (next.data && chunk > next.available)
			chunk = next.available;
		data = fetch_some(walk, &next, chunk, &got);
		nul = got ? memchr(data, 0, got) : NULL;
		*terminated = nul != NULL;
		if (nul)
			got = (size_t)(nul - data);
		if (nul && text->length == 0) {
			*text = (struct text){data, got, got};
			return true;
		}
		text_add(walk, text, data, got);
		if (*terminated)
			return true;
		if (got < chunk)
			return false;
	}
	return true;
}

// Bytes up to a NUL, at most @most, shown as far as the limit of their kind.
static struct value *text_value(
	struct walk *walk, const struct type *type, const struct place *place, uint64_t most)
{
	size_t room = type->until_nul ? type->size[walk->abi] : 0;
	// PATH_MAX counts the NUL.
	size_t limit = type->role == ROLE_PATH ? PATH_MAX - 1 : walk->options->string_limit;
	struct text text = {0};
	struct value *value;
	bool terminated;
	bool truncated;

	if (place->in_register)
		return NULL;
	// An array of a fixed size is shown as a whole, without a last byte that should be its NUL.
	if (room > 1)
		limit = room - 1;
	// One more than is shown tells whether there is more.
	if (most > (uint64_t)limit + 1)
		most = (uint64_t)limit + 1;
	if (!read_text(walk, place, (size_t)most, &text, &terminated))
		return NULL;
	truncated = text.length > limit;
	value = bytes_node(walk, type, text.data, truncated ? limit : text.length, truncated);
	value->terminated = terminated;
	return value;
}

struct value *bytes_string(struct walk *walk, const struct type *type, const struct place *place)
{
	uint64_t most = type->length ? eval(walk, type->length) : UINT64_MAX;
	struct value *value = text_value(walk, type, place, most);

	// What the kernel reads no further may go on.
	if (value && type->length && !value->terminated)
		value->truncated = true;
	return value;
}

struct value *bytes_counted(struct walk *walk, const struct type *type, const struct place *place)
{
	size_t limit = walk->options->string_limit;
	uint64_t length = type->length ? eval(walk, type->length) : type->size[walk->abi];
	size_t shown = (size_t)(length < limit ? length : limit);
	const uint8_t *data;

	if (type->until_nul)
		return text_value(walk, type, place, length);
	if (walk->data == type && !place->in_register)
		bytes_keep(walk, place->address, length);
	data = fetch_bytes(walk, place, shown);
	if (!data)
		return NULL;
	return bytes_node(walk, type, data, shown, length > shown);
}

struct value *bytes_buffer(struct walk *walk, taddr address, uint64_t length)
{
	size_t limit = walk->options->string_limit;
	size_t shown = (size_t)(length < limit ? length : limit);
	struct place place = place_memory(address);
	const uint8_t *data = address ? fetch_bytes(walk, &place, shown) : NULL;

	if (!data)
		return value_address(walk->arena, address, address != 0);
	return bytes_node(walk, NULL, data, shown, length > shown);
}

static void keep(struct walk *walk, taddr address, const struct call_data *data)
{
	struct place place = place_memory(address);
	struct call_data **end = &walk->call->data;
	const uint8_t *bytes = data->length ? fetch_bytes(walk, &place, data->length) : NULL;

	if (!walk->data || (data->length && !bytes))
		return;
	while (*end)
		end = &(*end)->next;
	*end = arena_alloc(walk->arena, sizeof(**end));
	**end = *data;
	(*end)->bytes = bytes;
}

void bytes_keep(struct walk *walk, taddr address, uint64_t length)
{
	if (walk->data && length)
		keep(walk, address,
			&(struct call_data){.length = length, .list = -1, .buffer = -1});
}

void bytes_keep_listed(
	struct walk *walk, taddr address, uint64_t length, unsigned buffer, unsigned count)
{
	bool has_lists = walk->data && walk->data->kind == TYPE_ARRAY;

	if (walk->data)
		keep(walk, address,
			&(struct call_data){.length = length,
				.list = has_lists ? (int)walk->data_lists : -1,
				.buffer = (int)buffer,
				.buffer_count = count});
}
