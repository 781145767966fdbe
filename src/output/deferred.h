// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_DEFERRED_H
#define SRC_OUTPUT_DEFERRED_H

/**
 * Text on its way to the sink, in which frames may wait for names from a server: then
 * it and all that comes behind it are deferred until the names are there. Nobody waits for
 * that but the text.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/buf.h"
#include "unwind/unwind.h"

struct frame_describer;
struct sink;

/** Appends what is to be shown of @frame. */
typedef void deferred_render_fn(struct buf *buf, void *context, const struct unwind_frame *frame);

/** Where in a text a frame stands. */
struct deferred_frame {
	size_t position;
	/** Bytes that stand in for it. */
	size_t length;
	struct unwind_frame frame;
};

/** A stretch of text and then a frame, or no frame. */
struct deferred_piece {
	char *text;
	size_t length;
	bool has_frame;
	struct unwind_frame frame;
};

struct deferred {
	struct sink *sink;
	/** NULL: nothing is ever deferred. */
	const struct frame_describer *describer;
	deferred_render_fn *render;
	void *context;
	/** Frames of the text under construction. */
	ARRAY(struct deferred_frame) frames;
	/** What waits; the first one is at @first. */
	ARRAY(struct deferred_piece) pieces;
	size_t first;
};

/** Whether @frame has to wait. */
bool deferred_must_wait(const struct deferred *deferred, const struct unwind_frame *frame);
/** @stand_in, just put into @buf, is replaced by @frame later. */
void deferred_add(struct deferred *deferred, struct buf *buf, const struct unwind_frame *frame,
	const char *stand_in);
/** Writes @buf, or defers it; @buf is empty then. */
void deferred_write(struct deferred *deferred, struct buf *buf);
/** Writes what need not wait any more; with @wait, everything, whenever names come. */
void deferred_flush_pending(struct deferred *deferred, bool wait);
/** The same with @wait, and frees the memory. */
void deferred_finish(struct deferred *deferred);

#endif
