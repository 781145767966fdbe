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

uint64_t frame_regs_perf_mask(void)
{
	const struct arch *arch = arch_get(unwind_arch_native());
	uint64_t mask = 0;

	for (unsigned i = 0; i < arch->register_count; i++)
		mask |= UINT64_C(1) << arch->perf_numbers[i];
	return mask;
}

void frame_regs_from_perf(struct frame_regs *regs, unsigned word, const uint64_t *values)
{
	const struct arch *arch = arch_get(unwind_arch_by_word(word));
	uint64_t mask = frame_regs_perf_mask();

	*regs = (struct frame_regs){.arch = arch->id};
	for (unsigned i = 0; i < arch->register_count; i++) {
		uint64_t lower = (UINT64_C(1) << arch->perf_numbers[i]) - 1;

		frame_regs_set(
			regs, i, arch_truncate(arch, values[__builtin_popcountll(mask & lower)]));
	}
	regs->pc = regs->value[arch->ra];
}

void frame_regs_set_arguments(struct frame_regs *regs, const uint64_t arguments[6])
{
	for (unsigned i = 0; i < 6; i++)
		frame_regs_set(regs, arch_get(regs->arch)->call_arguments[i], arguments[i]);
}

uint64_t frame_regs_sp(const struct frame_regs *regs)
{
	uint64_t sp = 0;

	frame_regs_get(regs, arch_get(regs->arch)->sp, &sp);
	return sp;
}

_Static_assert((int)FRAME_REGS_CODE_BYTES == (int)ARCH_CALL_BYTES, "what struct arch wants");

bool frame_regs_in_system_call(
	const struct frame_regs *regs, const uint8_t code[FRAME_REGS_CODE_BYTES])
{
	return arch_get(regs->arch)->system_call_before(code);
}
