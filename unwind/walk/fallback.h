// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_WALK_FALLBACK_H
#define UNWIND_WALK_FALLBACK_H

/**
 * What to do without a rule. Each way checks what can be checked: that the
 * return address lies in code and that a call stands before it. Interpreters among
 * generated code push return addresses that no call made: there the frame pointers
 * must lead on, to another one in code. Without a frame pointer the stack is searched
 * for the return address of a call of this very function. None of this proves
 * anything, so the frames it leads to are marked by their origin.
 */

#include <stdbool.h>

#include "unwind/frame.h"
#include "unwind/frame/arch.h"
#include "unwind/frame/stack_memory.h"
#include "unwind/frame_regs.h"
#include "unwind/source.h"

struct fallback {
	const struct arch *arch;
	const struct unwind_source *source;
	struct stack_memory *memory;
	/** Whether @address is in an executable mapping. */
	bool (*is_code)(void *context, taddr address);
	/** Whether it is in an executable mapping of no file: code made at run time. */
	bool (*is_generated)(void *context, taddr address);
	/** Where the current frame's function starts; false if that is not known. */
	bool (*function_start)(void *context, taddr *ret);
	void *context;
};

/** The caller's registers as far as they are known after a fallback. */
struct fallback_result {
	struct frame_regs regs;
	taddr cfa;
	enum frame_origin origin;
};

/**
 * For the frame of @regs. @is_innermost: it may have no frame of its own
 * (a leaf function). @has_code: its pc is in code; if not, it was called through
 * a bad pointer. False if nothing plausible was found.
 */
bool fallback_find(const struct fallback *fallback, const struct frame_regs *regs,
	bool is_innermost, bool has_code, struct fallback_result *ret);

#endif
