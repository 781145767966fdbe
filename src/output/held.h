// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_HELD_H
#define SRC_OUTPUT_HELD_H

/**
 * Text on its way to the sink, in which frames may wait for names from a server: then
 * it and all that comes behind it are held until the names are there. Nobody waits for
 * that but the text.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/buf.h"
#include "unwind/unwind.h"

struct sink;
struct unwind_context;

/** Appends what is to be shown of @frame. */
typedef void held_render_fn(struct buf *buf, void *context, const struct unwind_frame *frame);

/** Where in a text a frame stands. */
struct held_frame {
	size_t position;
	/** Bytes that stand in for it. */
	size_t length;
	struct unwind_frame frame;
};

/** A stretch of text and then a frame, or no frame. */
struct held_piece {
	char *text;
	size_t length;
	bool has_frame;
	struct unwind_frame frame;
};

struct held {
	struct sink *sink;
	/** NULL: nothing is ever held. */
	struct unwind_context *unwind;
	held_render_fn *render;
	void *context;
	/** Frames of the text under construction. */
	ARRAY(struct held_frame) frames;
	/** What waits; the first one is at @first. */
	ARRAY(struct held_piece) pieces;
	size_t first;
};

/** Whether @frame has to wait. */
bool held_must_wait(const struct held *held, const struct unwind_frame *frame);
/** @stand_in, just put into @buf, is replaced by @frame later. */
void held_wait(
	struct held *held, struct buf *buf, const struct unwind_frame *frame, const char *stand_in);
/** Writes @buf, or holds it; @buf is empty then. */
void held_write(struct held *held, struct buf *buf);
/** Writes what need not be held any more; with @wait, everything, whenever names come. */
void held_go_on(struct held *held, bool wait);
/** The same with @wait, and frees the memory. */
void held_finish(struct held *held);

#endif
