// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/walk/stack_end.h"

#include "unwind/frame/arch.h"
#include "unwind/frame/rule.h"
#include "unwind/module/module.h"
#include "unwind/module/space.h"

static bool knows_start(struct unwind_space *space, const struct unwind_source *source)
{
	if (!space->start_asked) {
		space->start_asked = true;
		space->start_is_known =
			source->ops->start && source->ops->start(source->context, &space->start);
	}
	return space->start_is_known;
}

bool stack_end_is_entry(struct unwind_space *space, const struct unwind_source *source,
	const struct unwind_frame *frame)
{
	taddr entry;

	if (!frame->module || !module_is_entry(frame->module, frame->module_pc))
		return false;
	if (!knows_start(space, source))
		return module_is_program(frame->module);
	entry = frame->pc - (frame->module_pc - module_entry(frame->module));
	return entry == space->start.entry ||
	       (space->start.interpreter &&
		       frame->pc - frame->module_pc == space->start.interpreter);
}

bool stack_end_is_proven(struct unwind_space *space, const struct unwind_source *source,
	const struct unwind_frame *frame)
{
	const struct rule *rule = NULL;
	bool is_last;

	if (frame->module)
		rule = module_rule((struct unwind_module *)frame->module, arch_get(space->arch),
			frame_lookup_pc(frame->address, frame->module_pc), &is_last);
	return (rule && rule->is_outermost) || stack_end_is_entry(space, source, frame);
}
