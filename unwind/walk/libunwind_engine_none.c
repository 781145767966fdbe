// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/walk/libunwind_engine.h"

#include <stddef.h>

struct space_engine *libunwind_engine_create(enum unwind_arch arch)
{
	(void)arch;
	return NULL;
}

void libunwind_engine_forget(struct space_engine *engine)
{
	(void)engine;
}

void libunwind_engine_run(struct space_engine *engine, struct libunwind_walk *walk,
	const struct frame_regs *regs, taddr lookup)
{
	(void)engine;
	(void)regs;
	(void)lookup;
	walk->end = FRAME_END_NO_STATE;
	walk->end_address = 0;
}

bool libunwind_engine_is_built(void)
{
	return false;
}
