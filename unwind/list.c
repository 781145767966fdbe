// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/arena.h"
#include "unwind/arch.h"
#include "unwind/maps.h"
#include "unwind/space.h"
#include "unwind/unwind.h"

static void locate(struct unwind_space *space, const struct unwind_source *source, bool *may_reread,
	struct unwind_frame *frame)
{
	taddr pc = frame_lookup_pc(frame->address, frame->pc);
	const struct space_range *range = space_find(space, source, pc, may_reread);

	if (!range) {
		frame->map_name = space_map_name(space, pc);
		return;
	}
	frame->map_name = range->name;
	frame->module = range->mapping.module;
	if (!frame->module)
		return;
	frame->module_pc = arch_truncate(arch_get(space->arch), frame->pc - range->mapping.bias);
	frame->file_offset = frame->pc - range->start + space->maps->data[range->map].offset;
}

void unwind_list(struct unwind_space *space, const struct unwind_source *source,
	const taddr *addresses, size_t count, enum frame_address address, struct arena *arena,
	struct unwind_stack *ret)
{
	bool may_reread = space->maps && !space->maps_changed;
	bool has_maps = space_update(space, source);

	*ret = (struct unwind_stack){
		.frames = arena_zalloc(arena, count * sizeof(*ret->frames)),
		.count = count,
		.end = has_maps ? FRAME_END_OUTERMOST : FRAME_END_NO_STATE,
	};
	for (size_t i = 0; i < count; i++) {
		struct unwind_frame *frame = &ret->frames[i];

		frame->pc = addresses[i];
		frame->address = i ? FRAME_ADDRESS_RETURN : address;
		frame->origin = i ? FRAME_ORIGIN_FRAME_POINTER : FRAME_ORIGIN_REGISTERS;
		if (has_maps)
			locate(space, source, &may_reread, frame);
	}
}
