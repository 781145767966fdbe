// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/frame_names.h"

#include "unwind/unwind.h"

static const struct unwind_description *describe(void *context, const struct unwind_frame *frame)
{
	return unwind_describe(context, frame);
}

static bool is_pending(void *context, const struct unwind_frame *frame)
{
	return unwind_is_pending(context, frame);
}

static void wait_for_news(void *context)
{
	unwind_wait(context);
}

struct frame_describer frame_names_of(struct unwind_context *unwind)
{
	return (struct frame_describer){
		.context = unwind,
		.describe = describe,
		.is_pending = is_pending,
		.wait = wait_for_news,
	};
}
