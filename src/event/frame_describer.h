// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_EVENT_FRAME_DESCRIBER_H
#define SRC_EVENT_FRAME_DESCRIBER_H

/**
 * Names and source lines of the frames in events: all that outputs ask of whoever looks them
 * up. It does not walk stacks, and nothing is asked before an output shows the frame.
 */

#include <stdbool.h>
#include <stddef.h>

struct unwind_description;
struct unwind_frame;

struct frame_describer {
	/** Passed to all functions; not owned. */
	void *context;
	/**
	 * What is known of the frame's address. Never NULL; belongs to the describer and lives
	 * as long as it.
	 */
	const struct unwind_description *(*describe)(
		void *context, const struct unwind_frame *frame);
	/**
	 * Whether more will be known of the frame when a server has answered. Never waits. NULL:
	 * false.
	 */
	bool (*is_pending)(void *context, const struct unwind_frame *frame);
	/** Waits a moment for news of what is pending. NULL only without @is_pending. */
	void (*wait)(void *context);
};

/** What is known of @frame; NULL where nobody looks anything up (@describer is NULL). */
static inline const struct unwind_description *frame_describe(
	const struct frame_describer *describer, const struct unwind_frame *frame)
{
	return describer ? describer->describe(describer->context, frame) : NULL;
}

static inline bool frame_is_pending(
	const struct frame_describer *describer, const struct unwind_frame *frame)
{
	return describer && describer->is_pending &&
	       describer->is_pending(describer->context, frame);
}

#endif
