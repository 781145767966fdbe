// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_EVENT_H
#define SRC_OUTPUT_TEXT_EVENT_H

/** Everything but calls, as lines: signals, ends of tasks, messages. */

struct buf;
struct event;
struct text_style;

/** `--- SIGINT {...} ---`, `+++ exited with 0 +++` and their like, without prefix and newline. */
void text_event(struct buf *buf, const struct event *event, const struct text_style *style);
/** `tracer: TEXT` for events that are messages to the reader: notes, attached, detached. */
void text_message(struct buf *buf, const struct event *event);

#endif
