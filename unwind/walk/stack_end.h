// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_WALK_STACK_END_H
#define UNWIND_WALK_STACK_END_H

/** Frames that prove that a stack is complete: nothing called what they are in. */

#include <stdbool.h>

#include "unwind/source.h"
#include "unwind/unwind.h"

/**
 * Whether @frame, whose module is known, is where the kernel begins the program or its
 * interpreter. Any shared library may have an entry point in its header as well.
 */
bool stack_end_is_entry(struct unwind_space *space, const struct unwind_source *source,
	const struct unwind_frame *frame);
/** The same, or its rule says that there is no caller. */
bool stack_end_is_proven(struct unwind_space *space, const struct unwind_source *source,
	const struct unwind_frame *frame);

#endif
