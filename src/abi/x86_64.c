// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <linux/audit.h>
#include <stddef.h>

#include "abi/abi.h"
#include "abi/regs.h"

// struct user_regs_struct of asm/user_64.h.
const struct regs_layout regs_x86_64 = {
	.size = 27 * 8,
	.width = 8,
	.index =
		{
			[REG_NUMBER] = 15,
			[REG_ARGUMENT] = 14,
			[REG_ARGUMENT + 1] = 13,
			[REG_ARGUMENT + 2] = 12,
			[REG_ARGUMENT + 3] = 7,
			[REG_ARGUMENT + 4] = 9,
			[REG_ARGUMENT + 5] = 8,
			[REG_RESULT] = 10,
			[REG_PC] = 16,
			[REG_SP] = 19,
			[REG_FP] = 4,
			[REG_LINK] = REGS_NONE,
		},
};

const struct abi abi_x86_64 = {
	.id = ABI_X86_64,
	.name = "x86_64",
	.audit_name = "AUDIT_ARCH_X86_64",
	.personality = "64",
	.mode = "64 bit",
	.word_size = 8,
	.kernel_word_size = 8,
	.register_size = 8,
	.audit_arch = AUDIT_ARCH_X86_64,
	.regs = &regs_x86_64,
	.narrow = &abi_i386,
	// syscall, int $0x80; after sysenter there is one of these for the kernel to go back to.
	.call_length = 2,
	// struct rt_sigframe after its first word: flags, link, stack (24 bytes), then the 256
	// bytes of struct sigcontext.
	.signal_mask = 8 + 8 + 24 + 256,
	.numbers = {.clone = 56, .clone3 = 435, .fork = 57, .vfork = 58, .restart_syscall = 219},
};
