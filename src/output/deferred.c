// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/deferred.h"

#include <string.h>

#include "event/frame_describer.h"
#include "output/sink.h"

bool deferred_must_wait(const struct deferred *deferred, const struct unwind_frame *frame)
{
	return frame_is_pending(deferred->describer, frame);
}

void deferred_add(struct deferred *deferred, struct buf *buf, const struct unwind_frame *frame,
	const char *stand_in)
{
	struct deferred_frame *waiting = array_add(&deferred->frames);

	*waiting = (struct deferred_frame){buf->length, strlen(stand_in), *frame};
	// They live as long as the event; without DWARF there are none anyway.
	waiting->frame.args = NULL;
	waiting->frame.arg_list_count = 0;
	buf_string(buf, stand_in);
}

static void defer(struct deferred *deferred, const char *text, size_t length,
	const struct unwind_frame *frame)
{
	struct deferred_piece *piece = array_add(&deferred->pieces);

	*piece = (struct deferred_piece){.text = xmalloc(length + 1), .length = length};
	if (length)
		memcpy(piece->text, text, length);
	if (frame) {
		piece->has_frame = true;
		piece->frame = *frame;
	}
}

void deferred_write(struct deferred *deferred, struct buf *buf)
{
	size_t done = 0;

	if (deferred->describer)
		deferred_flush_pending(deferred, /* wait= */ false);
	if (!deferred->frames.count && deferred->first == deferred->pieces.count) {
		sink_write(deferred->sink, buf->data, buf->length);
		buf_reset(buf);
		return;
	}
	array_for_each (waiting, &deferred->frames) {
		defer(deferred, buf->data + done, waiting->position - done, &waiting->frame);
		done = waiting->position + waiting->length;
	}
	defer(deferred, buf->data + done, buf->length - done, NULL);
	deferred->frames.count = 0;
	buf_reset(buf);
}

static void write_piece(struct deferred *deferred, struct deferred_piece *piece)
{
	struct buf text = {0};

	sink_write(deferred->sink, piece->text, piece->length);
	if (piece->has_frame) {
		deferred->render(&text, deferred->context, &piece->frame);
		sink_write(deferred->sink, text.data, text.length);
		buf_deinit(&text);
	}
	free(piece->text);
	deferred->first++;
}

void deferred_flush_pending(struct deferred *deferred, bool wait)
{
	while (deferred->first < deferred->pieces.count) {
		struct deferred_piece *piece = &deferred->pieces.data[deferred->first];

		while (piece->has_frame && deferred_must_wait(deferred, &piece->frame)) {
			if (!wait)
				return;
			deferred->describer->wait(deferred->describer->context);
		}
		write_piece(deferred, piece);
	}
	deferred->pieces.count = deferred->first = 0;
}

void deferred_finish(struct deferred *deferred)
{
	deferred_flush_pending(deferred, /* wait= */ true);
	array_deinit(&deferred->pieces);
	array_deinit(&deferred->frames);
}
