// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <linux/audit.h>
#include <stddef.h>

#include "abi/abi.h"
#include "abi/regs.h"

// Programs with pointers of 32 bits in 64-bit code: the registers are those of x86-64, the call
// is told by a bit in its number (__X32_SYSCALL_BIT of asm/unistd.h).
const struct abi abi_x32 = {
	.id = ABI_X32,
	.name = "x32",
	.personality = "x32",
	.mode = "x32",
	.word_size = 4,
	.kernel_word_size = 8,
	.register_size = 8,
	.audit_arch = AUDIT_ARCH_X86_64,
	.number_mark = 0x40000000,
	.regs = &regs_x86_64,
	.call_length = 2,
	// struct rt_sigframe_x32 after its first word: flags, link, stack (12 bytes) and padding,
	// then the 256 bytes of struct sigcontext.
	.signal_mask = 4 + 4 + 12 + 4 + 256,
	.numbers = {.clone = 56, .clone3 = 435, .fork = 57, .vfork = 58, .restart_syscall = 219},
};
