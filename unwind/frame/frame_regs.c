// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame_regs.h"

#include "base/array.h"
#include "unwind/frame/arch.h"

bool frame_regs_from_prstatus(struct frame_regs *regs, const void *prstatus, size_t size)
{
	static const enum unwind_arch ids[] = {UNWIND_ARCH_X86_64, UNWIND_ARCH_I386};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		const struct arch *arch = arch_get(ids[i]);

		if (size != arch->prstatus_size)
			continue;
		*regs = (struct frame_regs){.arch = arch->id};
		arch->load_prstatus(regs, prstatus);
		return true;
	}
	return false;
}

void frame_regs_init(struct frame_regs *regs, enum unwind_arch arch, uint64_t pc, uint64_t sp)
{
	*regs = (struct frame_regs){.arch = arch, .pc = pc};
	frame_regs_set(regs, arch_get(arch)->sp, sp);
	frame_regs_set(regs, arch_get(arch)->ra, pc);
}
