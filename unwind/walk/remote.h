// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_WALK_REMOTE_H
#define UNWIND_WALK_REMOTE_H

/**
 * The same walk by libunwind, on our memory, registers and modules through its
 * accessors: a second opinion. libunwind reads .eh_frame with a search table and
 * nothing else; without a rule it follows the frame pointer and does not say so.
 * A build without libunwind has remote_none.c in its place.
 */

#include <stdbool.h>

#include "base/taddr.h"
#include "unwind/frame.h"
#include "unwind/frame_regs.h"
#include "unwind/source.h"

struct remote;
struct stack_memory;
struct unwind_space;

/** One step of a walk. */
struct remote_frame {
	taddr pc;
	/** The stack pointer in it; the CFA of the frame before. */
	taddr sp;
	/** It is the code that returns from a signal handler. */
	bool is_signal_frame;
};

/** What a walk is done on; the callbacks get @context. */
struct remote_walk {
	struct unwind_space *space;
	const struct unwind_source *source;
	struct stack_memory *memory;
	/** Given each frame, innermost first; false ends the walk. */
	bool (*found)(void *context, const struct remote_frame *frame);
	void *context;
	/** The end, only valid after remote_run(). */
	enum frame_end end;
	taddr end_address;
};

/** What is kept for one address space; NULL if @arch or libunwind is not there. */
struct remote *remote_create(enum unwind_arch arch);
/** NULL is allowed. */
void remote_destroy(struct remote *remote);
/** The maps are other ones now. */
void remote_forget(struct remote *remote);
/** Walks from @regs, whose pc is looked up at @lookup. */
void remote_run(struct remote *remote, struct remote_walk *walk, const struct frame_regs *regs,
	taddr lookup);
/** Whether this build can. */
bool remote_is_built(void);

#endif
