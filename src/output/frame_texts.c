// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/frame_texts.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/unwind.h"

enum { BYTES_MOST = 8 * 1024 * 1024 };

/** What the lines of a frame depend on, without padding. */
struct place {
	const struct unwind_module *module;
	/** One copy of each text. */
	const char *path;
	uint64_t module_pc;
	uint64_t file_offset;
	/** Address kind, origin, signal frame. */
	uint64_t kind;
};

struct kept {
	struct place place;
	/** Other places of the same hash. */
	struct kept *next;
	struct frame_text text;
	char bytes[];
};

static struct place place_of(const struct unwind_frame *frame)
{
	return (struct place){
		.module = frame->module,
		.path = frame->path,
		.module_pc = frame->module_pc,
		.file_offset = frame->file_offset,
		.kind = (uint64_t)frame->address << 16 | (uint64_t)frame->origin << 8 |
			frame->is_signal_frame,
	};
}

static uint64_t key_of(const struct place *place)
{
	return hash_u64(place->module_pc ^ place->kind << 48) ^ (uintptr_t)place->module;
}

static bool is_same(const struct place *a, const struct place *b)
{
	return a->module == b->module && a->path == b->path && a->module_pc == b->module_pc &&
	       a->file_offset == b->file_offset && a->kind == b->kind;
}

void frame_texts_deinit(struct frame_texts *texts)
{
	hash_deinit(&texts->by_place);
	arena_deinit(&texts->arena);
	texts->size = 0;
}

const struct frame_text *frame_texts_find(
	const struct frame_texts *texts, const struct unwind_frame *frame)
{
	struct place place = place_of(frame);

	if (!frame->module)
		return NULL;
	for (const struct kept *kept = hash_get(&texts->by_place, key_of(&place)); kept;
		kept = kept->next) {
		if (is_same(&kept->place, &place))
			return &kept->text;
	}
	return NULL;
}

void frame_texts_add(struct frame_texts *texts, const struct unwind_frame *frame,
	const struct unwind_description *what, const char *text, size_t length)
{
	struct kept *kept;
	uint64_t key;

	if (!frame->module || length > BYTES_MOST)
		return;
	if (texts->size + length > BYTES_MOST)
		frame_texts_deinit(texts);
	kept = arena_alloc(&texts->arena, sizeof(*kept) + length);
	kept->place = place_of(frame);
	key = key_of(&kept->place);
	memcpy(kept->bytes, text, length);
	kept->text = (struct frame_text){length, kept->bytes, what};
	kept->next = hash_get(&texts->by_place, key);
	hash_set(&texts->by_place, key, kept);
	texts->size += sizeof(*kept) + length;
}
