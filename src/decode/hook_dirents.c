// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdio.h>
#include <string.h>

#include "decode/aggregate.h"
#include "decode/decoder.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"

enum {
	/** The most we look at of what one call stored. */
	DIRENTS_MAX = 4 * 1024 * 1024,
};

/** Where the members of an entry stand. */
struct layout {
	unsigned word;
	unsigned length;
	unsigned name;
	/** 0: in the last byte of the entry. */
	unsigned type;
};

/** Entries that were stored. */
struct entries {
	const struct layout *layout;
	const uint8_t *data;
	size_t length;
	size_t at;
};

// The next entry's bytes, or NULL at the end and where they stop making sense.
static const uint8_t *next_entry(struct entries *entries, size_t *length)
{
	const struct layout *layout = entries->layout;
	size_t left = entries->length - entries->at;
	const uint8_t *entry = entries->data + entries->at;

	if (left < layout->name + 1u)
		return NULL;
	*length = (size_t)bytes_to_number(entry + layout->length, 2, false, false);
	if (*length < layout->name + 1u || *length > left)
		return NULL;
	entries->at += *length;
	return entry;
}

static struct value *entry_type(
	struct walk *walk, const struct layout *layout, const uint8_t *entry, size_t length)
{
	unsigned type = entry[layout->type ? layout->type : length - 1];

	return scalar_in_set(walk, "dirent_type", type, 1);
}

static struct value *entry_value(
	struct walk *walk, const struct layout *layout, const uint8_t *entry, size_t length)
{
	unsigned word = layout->word;
	size_t most = length - layout->name - (layout->type ? 0 : 1);
	const char *name = (const char *)entry + layout->name;
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;
	struct arena *arena = walk->arena;

	aggregate_add(value, &last, "d_ino",
		value_number(
			arena, bytes_to_number(entry, word, false, false), RADIX_UNSIGNED, word));
	aggregate_add(value, &last, "d_off",
		value_number(arena, bytes_to_number(entry + word, word, layout->type != 0, false),
			layout->type ? RADIX_SIGNED : RADIX_UNSIGNED, word));
	aggregate_add(value, &last, "d_reclen", value_number(arena, length, RADIX_UNSIGNED, 2));
	if (layout->type)
		aggregate_add(value, &last, "d_type", entry_type(walk, layout, entry, length));
	aggregate_add(value, &last, "d_name", value_bytes(arena, name, strnlen(name, most), false));
	if (!layout->type)
		aggregate_add(value, &last, "d_type", entry_type(walk, layout, entry, length));
	return value;
}

static struct value *entries_list(struct walk *walk, struct entries *entries)
{
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	const uint8_t *entry;
	size_t length;

	while ((entry = next_entry(entries, &length))) {
		if (walk->nodes_left == 0) {
			array->truncated = true;
			break;
		}
		walk->nodes_left--;
		value_append(array, &last, entry_value(walk, entries->layout, entry, length));
	}
	return array;
}

static struct value *entries_count(struct walk *walk, struct entries *entries, taddr address)
{
	struct value *value = value_address(walk->arena, address, false);
	unsigned count = 0;
	size_t length;
	char text[32];
	int written;

	while (next_entry(entries, &length))
		count++;
	written = snprintf(text, sizeof(text), "%u entr%s", count, count == 1 ? "y" : "ies");
	value_add_note(walk->arena, value, NOTE_COMMENT, text, (size_t)written);
	return value;
}

static struct value *entries_value(
	struct walk *walk, const struct place *place, uint64_t length, const struct layout *layout)
{
	size_t size = length < DIRENTS_MAX ? (size_t)length : DIRENTS_MAX;
	struct entries entries = {.layout = layout, .length = size};

	entries.data = fetch_bytes(walk, place, size);
	if (!entries.data)
		return NULL;
	if (walk->verbose)
		return entries_list(walk, &entries);
	return entries_count(walk, &entries, place->address);
}

struct value *hook_dirents(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	unsigned word = walk->kernel_word;
	const struct layout layout = {.word = word, .length = 2 * word, .name = 2 * word + 2};

	(void)type;
	return entries_value(walk, place, args[0], &layout);
}

struct value *hook_dirents64(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	static const struct layout layout = {.word = 8, .length = 16, .type = 18, .name = 19};

	(void)type;
	return entries_value(walk, place, args[0], &layout);
}
