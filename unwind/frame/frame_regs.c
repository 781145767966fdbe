// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame_regs.h"

#include "unwind/frame/arch.h"

bool frame_regs_from_prstatus(struct frame_regs *regs, const void *prstatus, size_t size)
{
	const struct arch *arch = arch_by_prstatus(size);

	if (!arch)
		return false;
	*regs = (struct frame_regs){.arch = arch->id};
	arch->load_prstatus(regs, prstatus);
	return true;
}

void frame_regs_init(struct frame_regs *regs, enum unwind_arch arch, uint64_t pc, uint64_t sp)
{
	*regs = (struct frame_regs){.arch = arch, .pc = pc};
	frame_regs_set(regs, arch_get(arch)->sp, sp);
	// A link register holds something else than the program counter.
	if (arch_get(arch)->link == ARCH_NO_REGISTER)
		frame_regs_set(regs, arch_get(arch)->ra, pc);
}
