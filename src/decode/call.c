// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/call.h"

#include "decode/decoder.h"

void call_reset(struct call *call)
{
	struct arena arena = call->arena;

	arena_reset(&arena);
	*call = (struct call){.arena = arena};
}

void call_deinit(struct call *call)
{
	arena_deinit(&call->arena);
	*call = (struct call){0};
}
