// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_FRAME_TEXTS_H
#define SRC_OUTPUT_FRAME_TEXTS_H

/**
 * The lines of frames that were shown before. Programs are seen in the same
 * places again and again, and to write a frame costs more than to find it: the
 * text is made once for each place and copied from then on. Bounded: when
 * the texts grow too many, all are forgotten.
 */

#include "base/arena.h"
#include "base/hash.h"

struct unwind_description;
struct unwind_frame;

/** Zero-initialised is empty and valid. */
struct frame_texts {
	struct arena arena;
	struct hash by_place;
	/** Bytes in the arena. */
	size_t size;
};

struct frame_text {
	size_t length;
	const char *text;
	const struct unwind_description *what;
};

void frame_texts_deinit(struct frame_texts *texts);
/**
 * The lines kept for a frame like @frame, or NULL. Frames without a module have
 * none. Valid until the next frame_texts_add().
 */
const struct frame_text *frame_texts_find(
	const struct frame_texts *texts, const struct unwind_frame *frame);
/**
 * Keeps a copy of @length bytes of @text, which are not known yet, for frames like @frame,
 * described by @what, which must outlive them.
 */
void frame_texts_add(struct frame_texts *texts, const struct unwind_frame *frame,
	const struct unwind_description *what, const char *text, size_t length);

#endif
