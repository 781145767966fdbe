// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <linux/audit.h>
#include <stddef.h>

#include "abi/abi.h"
#include "abi/regs.h"

// struct user_regs_struct of asm/user_32.h.
static const struct regs_layout regs_i386 = {
	.size = 17 * 4,
	.width = 4,
	.index =
		{
			[REG_NUMBER] = 11,
			[REG_ARGUMENT] = 0,
			[REG_ARGUMENT + 1] = 1,
			[REG_ARGUMENT + 2] = 2,
			[REG_ARGUMENT + 3] = 3,
			[REG_ARGUMENT + 4] = 4,
			[REG_ARGUMENT + 5] = 5,
			[REG_RESULT] = 6,
			[REG_PC] = 12,
			[REG_SP] = 15,
			[REG_FP] = 5,
			[REG_LINK] = REGS_NONE,
		},
};

// The same registers where 64-bit code makes the call by int $0x80: asm/user_64.h.
static const struct regs_layout regs_64 = {
	.size = 27 * 8,
	.width = 8,
	.index =
		{
			[REG_NUMBER] = 15,
			[REG_ARGUMENT] = 5,
			[REG_ARGUMENT + 1] = 11,
			[REG_ARGUMENT + 2] = 12,
			[REG_ARGUMENT + 3] = 13,
			[REG_ARGUMENT + 4] = 14,
			[REG_ARGUMENT + 5] = 4,
			[REG_RESULT] = 10,
			[REG_PC] = 16,
			[REG_SP] = 19,
			[REG_FP] = 4,
			[REG_LINK] = REGS_NONE,
		},
};

const struct abi abi_i386 = {
	.id = ABI_I386,
	.name = "i386",
	.audit_name = "AUDIT_ARCH_I386",
	.personality = "32",
	.mode = "32 bit",
	.word_size = 4,
	.kernel_word_size = 4,
	.register_size = 4,
	.audit_arch = AUDIT_ARCH_I386,
	.regs = &regs_i386,
	.foreign_regs = &regs_64,
	// syscall, int $0x80; after sysenter there is one of these for the kernel to go back to.
	.call_length = 2,
	// struct rt_sigframe_ia32 after its first words.
	.signal_mask = 140 + 108,
	// struct sigframe_ia32: oldmask of its sigcontext, then the word behind its FPU state.
	.old_signal_mask = {80, 88 + 624},
	.numbers = {.clone = 120, .clone3 = 435, .fork = 2, .vfork = 190, .restart_syscall = 0},
};
