// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/held.h"

#include <string.h>

#include "output/sink.h"
#include "unwind/unwind.h"

bool held_must_wait(const struct held *held, const struct unwind_frame *frame)
{
	return held->unwind && unwind_is_pending(held->unwind, frame);
}

void held_wait(
	struct held *held, struct buf *buf, const struct unwind_frame *frame, const char *stand_in)
{
	struct held_frame *waiting = array_add(&held->frames);

	*waiting = (struct held_frame){buf->length, strlen(stand_in), *frame};
	// They live as long as the event; without DWARF there are none anyway.
	waiting->frame.args = NULL;
	waiting->frame.arg_list_count = 0;
	buf_string(buf, stand_in);
}

static void hold(
	struct held *held, const char *text, size_t length, const struct unwind_frame *frame)
{
	struct held_piece *piece = array_add(&held->pieces);

	*piece = (struct held_piece){.text = xmalloc(length + 1), .length = length};
	if (length)
		memcpy(piece->text, text, length);
	if (frame) {
		piece->has_frame = true;
		piece->frame = *frame;
	}
}

void held_write(struct held *held, struct buf *buf)
{
	size_t done = 0;

	if (held->unwind)
		held_go_on(held, /* wait= */ false);
	if (!held->frames.count && held->first == held->pieces.count) {
		sink_write(held->sink, buf->data, buf->length);
		buf_reset(buf);
		return;
	}
	array_for_each (waiting, &held->frames) {
		hold(held, buf->data + done, waiting->position - done, &waiting->frame);
		done = waiting->position + waiting->length;
	}
	hold(held, buf->data + done, buf->length - done, NULL);
	held->frames.count = 0;
	buf_reset(buf);
}

static void write_piece(struct held *held, struct held_piece *piece)
{
	struct buf text = {0};

	sink_write(held->sink, piece->text, piece->length);
	if (piece->has_frame) {
		held->render(&text, held->context, &piece->frame);
		sink_write(held->sink, text.data, text.length);
		buf_deinit(&text);
	}
	free(piece->text);
	held->first++;
}

void held_go_on(struct held *held, bool wait)
{
	while (held->first < held->pieces.count) {
		struct held_piece *piece = &held->pieces.data[held->first];

		while (piece->has_frame && held_must_wait(held, &piece->frame)) {
			if (!wait)
				return;
			unwind_wait(held->unwind);
		}
		write_piece(held, piece);
	}
	held->pieces.count = held->first = 0;
}

void held_finish(struct held *held)
{
	held_go_on(held, /* wait= */ true);
	array_deinit(&held->pieces);
	array_deinit(&held->frames);
}
