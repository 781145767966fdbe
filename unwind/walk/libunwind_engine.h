// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_WALK_LIBUNWIND_ENGINE_H
#define UNWIND_WALK_LIBUNWIND_ENGINE_H

/**
 * The same walk by libunwind, on our memory, registers and modules through its
 * accessors: a second opinion. libunwind reads .eh_frame with a search table and
 * nothing else; without a rule it follows the frame pointer and does not say so.
 * A build without libunwind has libunwind_engine_none.c in its place.
 */

#include <stdbool.h>

#include "base/taddr.h"
#include "unwind/frame.h"
#include "unwind/frame_regs.h"
#include "unwind/source.h"

struct space_engine;
struct stack_memory;
struct unwind_space;

/** One step of a walk. */
struct libunwind_frame {
	taddr pc;
	/** The stack pointer in it; the CFA of the frame before. */
	taddr sp;
	/** It is the code that returns from a signal handler. */
	bool is_signal_frame;
};

/** What a walk is done on; the callbacks get @context. */
struct libunwind_walk {
	struct unwind_space *space;
	const struct unwind_source *source;
	struct stack_memory *memory;
	/** Given each frame, innermost first; false ends the walk. */
	bool (*found)(void *context, const struct libunwind_frame *frame);
	void *context;
	/** The end, only valid after libunwind_engine_run(). */
	enum frame_end end;
	taddr end_address;
};

/** What libunwind keeps for one address space; NULL if it is not there or cannot do @arch. */
struct space_engine *libunwind_engine_create(enum unwind_arch arch);
/** The maps are other ones now. */
void libunwind_engine_forget(struct space_engine *engine);
/** Walks from @regs, whose pc is looked up at @lookup. */
void libunwind_engine_run(struct space_engine *engine, struct libunwind_walk *walk,
	const struct frame_regs *regs, taddr lookup);
/** Whether this build can. */
bool libunwind_engine_is_built(void);

#endif
