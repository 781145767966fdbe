// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <elf.h>
#include <string.h>
#include <sys/user.h>

#include "base/array.h"
#include "unwind/frame/arch_table.h"
#include "unwind/frame/arch_x86_call.h"
#include "unwind/frame/arch_x86_signal.h"
#include "unwind/frame/rule.h"
#include "unwind/frame/stack_memory.h"

/** DWARF numbers, System V psABI for AMD64, figure 3.36. */
enum {
	RAX,
	RDX,
	RCX,
	RBX,
	RSI,
	RDI,
	RBP,
	RSP,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
	RA,
};

enum {
	PRSTATUS_WORDS = 27,
	/** Figure 3.4 of the psABI. */
	PRESERVED = 1 << RBX | 1 << RBP | 1 << R12 | 1 << R13 | 1 << R14 | 1 << R15,
	/** X86_EFLAGS_FIXED, and __USER_CS (asm/segment.h). */
	FLAGS_ALWAYS = 2,
	USER_CODE_SEGMENT = 0x33,
};

/** Places in struct user_regs_struct (asm/ptrace.h), by DWARF number. */
static const uint8_t prstatus_index[] = {
	[RAX] = 10,
	[RDX] = 12,
	[RCX] = 11,
	[RBX] = 5,
	[RSI] = 13,
	[RDI] = 14,
	[RBP] = 4,
	[RSP] = 19,
	[R8] = 9,
	[R9] = 8,
	[R10] = 7,
	[R11] = 6,
	[R12] = 3,
	[R13] = 2,
	[R14] = 1,
	[R15] = 0,
	[RA] = 16,
};

/** PERF_REG_X86_* of asm/perf_regs.h, by DWARF number. */
static const uint8_t perf_numbers[] = {
	[RAX] = 0,
	[RDX] = 3,
	[RCX] = 2,
	[RBX] = 1,
	[RSI] = 4,
	[RDI] = 5,
	[RBP] = 6,
	[RSP] = 7,
	[R8] = 16,
	[R9] = 17,
	[R10] = 18,
	[R11] = 19,
	[R12] = 20,
	[R13] = 21,
	[R14] = 22,
	[R15] = 23,
	[RA] = 8,
};

_Static_assert(RA + 1 == ARCH_X86_64_REGISTERS, "arch_id.h");

static void load_prstatus(struct frame_regs *regs, const void *prstatus)
{
	uint64_t words[PRSTATUS_WORDS];

	memcpy(words, prstatus, sizeof(words));
	for (unsigned i = 0; i < ARRAY_SIZE(prstatus_index); i++)
		frame_regs_set(regs, i, words[prstatus_index[i]]);
	regs->pc = regs->value[RA];
}

/**
 * At the trampoline the stack pointer is at the struct ucontext of the signal
 * frame (asm/sigframe.h); its struct sigcontext is 40 bytes into it.
 */
static const struct rule signal_rule_data = {
	.cfa_register = RSP,
	.is_signal_frame = true,
	.origin = FRAME_ORIGIN_GUESS,
	.count = 17,
	.registers =
		{
			{.number = R8, .kind = RULE_CFA_MEMORY, .offset = 40},
			{.number = R9, .kind = RULE_CFA_MEMORY, .offset = 48},
			{.number = R10, .kind = RULE_CFA_MEMORY, .offset = 56},
			{.number = R11, .kind = RULE_CFA_MEMORY, .offset = 64},
			{.number = R12, .kind = RULE_CFA_MEMORY, .offset = 72},
			{.number = R13, .kind = RULE_CFA_MEMORY, .offset = 80},
			{.number = R14, .kind = RULE_CFA_MEMORY, .offset = 88},
			{.number = R15, .kind = RULE_CFA_MEMORY, .offset = 96},
			{.number = RDI, .kind = RULE_CFA_MEMORY, .offset = 104},
			{.number = RSI, .kind = RULE_CFA_MEMORY, .offset = 112},
			{.number = RBP, .kind = RULE_CFA_MEMORY, .offset = 120},
			{.number = RBX, .kind = RULE_CFA_MEMORY, .offset = 128},
			{.number = RDX, .kind = RULE_CFA_MEMORY, .offset = 136},
			{.number = RAX, .kind = RULE_CFA_MEMORY, .offset = 144},
			{.number = RCX, .kind = RULE_CFA_MEMORY, .offset = 152},
			{.number = RSP, .kind = RULE_CFA_MEMORY, .offset = 160},
			{.number = RA, .kind = RULE_CFA_MEMORY, .offset = 168},
		},
};

/** Wherever a task is in them, the stack pointer is where it was at their start. */
static const struct x86_trampoline trampolines[] = {
	// mov $__NR_rt_sigreturn,%rax; syscall
	{{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}, 9, 2,
		{{0, &signal_rule_data}, {7, &signal_rule_data}}},
	// mov $__NR_rt_sigreturn,%eax; syscall
	{{0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05}, 7, 2, {{0, &signal_rule_data}, {5, &signal_rule_data}}},
};

static const struct rule *signal_rule(const uint8_t *code, size_t before, size_t after)
{
	return x86_trampoline_rule(trampolines, ARRAY_SIZE(trampolines), code, before, after);
}

/**
 * The frame of a handler is a struct ucontext: no uc_link, and behind the registers the flags,
 * of which bit 1 is always set, and the segments (asm/sigcontext.h).
 */
static const struct rule *signal_frame(struct stack_memory *memory, uint64_t sp)
{
	uint64_t link, flags, code_segment;

	if (!stack_memory_read(memory, sp + 8, 8, &link) ||
		!stack_memory_read(memory, sp + 176, 8, &flags) ||
		!stack_memory_read(memory, sp + 184, 2, &code_segment))
		return NULL;
	return !link && flags & FLAGS_ALWAYS && code_segment == USER_CODE_SEGMENT
		       ? &signal_rule_data
		       : NULL;
}

const struct arch arch_x86_64 = {
	.id = UNWIND_ARCH_X86_64,
	.elf_machine = EM_X86_64,
	.word = 8,
	.sp = RSP,
	.fp = RBP,
	.ra = RA,
	.link = ARCH_NO_REGISTER,
	.register_count = ARCH_X86_64_REGISTERS,
	.frame_record = {.caller = 0, .return_address = 8, .cfa = 16},
	.libunwind_numbers = true,
	.code_mask = UINT64_MAX,
	.preserved = PRESERVED,
	// It takes 0 for %rbx, which is 3: as if functions preserved %rax but not %rbx.
	.misjudged = 1 << RAX,
	.prstatus_size = PRSTATUS_WORDS * sizeof(uint64_t),
	.load_prstatus = load_prstatus,
	.call_arguments = {RDI, RSI, RDX, R10, R8, R9},
	.perf_numbers = perf_numbers,
	.system_call_before = x86_system_call_before,
	.signal_rule = signal_rule,
	.signal_frame = signal_frame,
	.call_before = x86_call_before,
	.jump_slot = x86_64_jump_slot,
};
