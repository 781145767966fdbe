// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdio.h>

#include "decode/decoder.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/sequence.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

enum {
	/** Pointers read at a time, and counted at most. */
	CHUNK = 128,
	COUNT_MAX = 1024 * 1024,
};

static const struct type string_type = {.kind = TYPE_STRING, .align = {1, 1, 1}};

static struct value *string_list(struct walk *walk, const struct place *place)
{
	struct type pointer = {.kind = TYPE_POINTER, .target = &string_type};
	struct type list = {.kind = TYPE_LIST, .target = &pointer};

	pointer.size[walk->abi] = pointer.align[walk->abi] = (uint8_t)walk->word;
	return sequence_list(walk, &list, place);
}

enum end {
	END_NULL,
	END_UNREADABLE,
	END_LIMIT,
};

static unsigned count_pointers(struct walk *walk, const struct place *place, enum end *end)
{
	unsigned count = 0;

	while (count < COUNT_MAX) {
		struct place next = place_offset(place, (uint64_t)count * walk->word);
		size_t got;
		const uint8_t *data = fetch_some(walk, &next, CHUNK * (size_t)walk->word, &got);
		size_t held = got / walk->word;

		for (size_t i = 0; i < held; i++, count++) {
			if (bytes_to_number(data + i * walk->word, walk->word, false, false) == 0) {
				*end = END_NULL;
				return count;
			}
		}
		if (held < CHUNK) {
			*end = END_UNREADABLE;
			return count;
		}
	}
	*end = END_LIMIT;
	return count;
}

struct value *hook_envp(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value;
	enum end end;
	unsigned count;
	char text[48];
	int length;

	(void)type;
	(void)args;
	if (walk->verbose)
		return string_list(walk, place);
	count = count_pointers(walk, place, &end);
	if (end == END_UNREADABLE && count == 0)
		return NULL;
	value = value_address(walk->arena, place->address, false);
	length = snprintf(text, sizeof(text), "%u var%s%s", count, count == 1 ? "" : "s",
		end == END_NULL ? "" : ", unterminated");
	value_add_note(walk->arena, value, NOTE_COMMENT, text, (size_t)length);
	return value;
}
