// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/arena.h"
#include "unwind/module/space.h"
#include "unwind/unwind.h"
#include "unwind/walk/stack_end.h"

void unwind_call_chain(struct unwind_space *space, const struct unwind_source *source,
	const taddr *addresses, size_t count, enum frame_address address, struct arena *arena,
	struct unwind_stack *ret)
{
	bool may_reread = space->maps && !space->maps_changed;
	bool has_maps = space_update(space, source);

	*ret = (struct unwind_stack){
		.frames = arena_zalloc(arena, count * sizeof(*ret->frames)),
		.count = count,
		.end = FRAME_END_NO_STATE,
	};
	for (size_t i = 0; i < count; i++) {
		struct unwind_frame *frame = &ret->frames[i];

		frame->pc = addresses[i];
		frame->address = i ? FRAME_ADDRESS_RETURN : address;
		frame->origin = i ? FRAME_ORIGIN_FRAME_POINTER : FRAME_ORIGIN_REGISTERS;
		if (has_maps)
			space_locate(space, source, &may_reread, frame);
	}
	if (!has_maps || !count)
		return;
	// The kernel does not say why it stopped.
	ret->end = FRAME_END_NO_FRAME_POINTER;
	ret->end_address = addresses[count - 1];
	if (stack_end_is_proven(space, source, &ret->frames[count - 1])) {
		ret->end = FRAME_END_OUTERMOST;
		ret->end_address = 0;
	}
}
