// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <elf.h>
#include <string.h>

#include "base/array.h"
#include "unwind/frame/arch_table.h"
#include "unwind/frame/arch_x86_call.h"
#include "unwind/frame/arch_x86_signal.h"
#include "unwind/frame/rule.h"
#include "unwind/frame/stack_memory.h"

/** DWARF numbers, System V psABI for Intel386, table 2.14. */
enum {
	EAX,
	ECX,
	EDX,
	EBX,
	ESP,
	EBP,
	ESI,
	EDI,
	RA,
};

enum {
	PRSTATUS_WORDS = 17,
	/** System V ABI, Intel386 supplement, figure 3-16. */
	PRESERVED = 1 << EBX | 1 << EBP | 1 << ESI | 1 << EDI,
	/** X86_EFLAGS_FIXED; __USER_CS of a 32-bit kernel, __USER32_CS (asm/segment.h). */
	FLAGS_ALWAYS = 2,
	USER_CODE_SEGMENT = 0x73,
	USER32_CODE_SEGMENT = 0x23,
	SIGNALS = 64,
};

/** Places in struct user_regs_struct32 (asm/user32.h), by DWARF number. */
static const uint8_t prstatus_index[] = {
	[EAX] = 6,
	[ECX] = 1,
	[EDX] = 2,
	[EBX] = 0,
	[ESP] = 15,
	[EBP] = 5,
	[ESI] = 3,
	[EDI] = 4,
	[RA] = 12,
};

/** PERF_REG_X86_* of asm/perf_regs.h, by DWARF number. */
static const uint8_t perf_numbers[] = {
	[EAX] = 0,
	[ECX] = 2,
	[EDX] = 3,
	[EBX] = 1,
	[ESP] = 7,
	[EBP] = 6,
	[ESI] = 4,
	[EDI] = 5,
	[RA] = 8,
};

_Static_assert(RA + 1 == ARCH_I386_REGISTERS, "arch_id.h");

static void load_prstatus(struct frame_regs *regs, const void *prstatus)
{
	uint32_t words[PRSTATUS_WORDS];

	memcpy(words, prstatus, sizeof(words));
	for (unsigned i = 0; i < ARRAY_SIZE(prstatus_index); i++)
		frame_regs_set(regs, i, words[prstatus_index[i]]);
	regs->pc = regs->value[RA];
}

// In both frames (asm/sigframe.h) a struct sigcontext_32 lies @at bytes behind
// the stack pointer: edi at 16, esi 20, ebp 24, esp 28, ebx 32, edx 36, ecx 40,
// eax 44, eip 56.
#define SIGNAL_RULE(at)                                                                            \
	{                                                                                          \
		.cfa_register = ESP, .is_signal_frame = true, .origin = FRAME_ORIGIN_GUESS,        \
		.count = 9,                                                                        \
		.registers = {                                                                     \
			{.number = EDI, .kind = RULE_CFA_MEMORY, .offset = (at) + 16},             \
			{.number = ESI, .kind = RULE_CFA_MEMORY, .offset = (at) + 20},             \
			{.number = EBP, .kind = RULE_CFA_MEMORY, .offset = (at) + 24},             \
			{.number = ESP, .kind = RULE_CFA_MEMORY, .offset = (at) + 28},             \
			{.number = EBX, .kind = RULE_CFA_MEMORY, .offset = (at) + 32},             \
			{.number = EDX, .kind = RULE_CFA_MEMORY, .offset = (at) + 36},             \
			{.number = ECX, .kind = RULE_CFA_MEMORY, .offset = (at) + 40},             \
			{.number = EAX, .kind = RULE_CFA_MEMORY, .offset = (at) + 44},             \
			{.number = RA, .kind = RULE_CFA_MEMORY, .offset = (at) + 56},              \
		},                                                                                 \
	}

enum {
	/** Of the context, from the stack pointer on: the signal number, then the context. */
	OLD_CONTEXT = 4,
	/** The same with the signal number popped. */
	POPPED_CONTEXT = 0,
	/** The signal number, two pointers, siginfo (128), 20 bytes of ucontext, then it. */
	RT_CONTEXT = 160,
};

static const struct rule old_signal_rule = SIGNAL_RULE(OLD_CONTEXT);
static const struct rule popped_signal_rule = SIGNAL_RULE(POPPED_CONTEXT);
static const struct rule rt_signal_rule = SIGNAL_RULE(RT_CONTEXT);

static const struct x86_trampoline trampolines[] = {
	// pop %eax; mov $__NR_sigreturn,%eax; int $0x80
	{{0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80}, 8, 3,
		{{0, &old_signal_rule}, {1, &popped_signal_rule}, {6, &popped_signal_rule}}},
	// mov $__NR_rt_sigreturn,%eax; int $0x80
	{{0xb8, 0xad, 0, 0, 0, 0xcd, 0x80}, 7, 2, {{0, &rt_signal_rule}, {5, &rt_signal_rule}}},
};

static const struct rule *signal_rule(const uint8_t *code, size_t before, size_t after)
{
	return x86_trampoline_rule(trampolines, ARRAY_SIZE(trampolines), code, before, after);
}

/** Whether a struct sigcontext_32 may be at @context: flags, of which bit 1 is always set; cs. */
static bool is_context(struct stack_memory *memory, uint64_t context)
{
	uint64_t flags, code_segment;

	return stack_memory_read(memory, context + 64, 4, &flags) &&
	       stack_memory_read(memory, context + 60, 2, &code_segment) && flags & FLAGS_ALWAYS &&
	       (code_segment == USER_CODE_SEGMENT || code_segment == USER32_CODE_SEGMENT);
}

/** Both begin with the number of a signal; the second has a pointer to a siginfo behind it. */
static const struct rule *signal_frame(struct stack_memory *memory, uint64_t sp)
{
	uint64_t number, siginfo;

	if (!stack_memory_read(memory, sp, 4, &number) || !number || number > SIGNALS)
		return NULL;
	if (stack_memory_read(memory, sp + 4, 4, &siginfo) && siginfo == sp + 12 &&
		is_context(memory, sp + RT_CONTEXT))
		return &rt_signal_rule;
	return is_context(memory, sp + OLD_CONTEXT) ? &old_signal_rule : NULL;
}

static enum arch_call call_before(const uint8_t *code, taddr address, taddr *target_ret)
{
	enum arch_call call = x86_call_before(code, address, target_ret);

	if (call == ARCH_CALL_DIRECT)
		*target_ret = (uint32_t)*target_ret;
	return call;
}

const struct arch arch_i386 = {
	.id = UNWIND_ARCH_I386,
	.elf_machine = EM_386,
	.word = 4,
	.sp = ESP,
	.fp = EBP,
	.ra = RA,
	.link = ARCH_NO_REGISTER,
	.register_count = ARCH_I386_REGISTERS,
	.frame_record = {.caller = 0, .return_address = 4, .cfa = 8},
	.code_mask = UINT32_MAX,
	.preserved = PRESERVED,
	.prstatus_size = PRSTATUS_WORDS * sizeof(uint32_t),
	.load_prstatus = load_prstatus,
	.call_arguments = {EBX, ECX, EDX, ESI, EDI, EBP},
	.perf_numbers = perf_numbers,
	.system_call_before = x86_system_call_before,
	.signal_rule = signal_rule,
	.signal_frame = signal_frame,
	.call_before = call_before,
	.jump_slot = i386_jump_slot,
};
