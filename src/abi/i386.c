// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <linux/audit.h>
#include <stddef.h>
#include <sys/user.h>

#include "abi/abi.h"

const struct abi abi_i386 = {
	.id = ABI_I386,
	.name = "i386",
	.word_size = 4,
	.audit_arch = AUDIT_ARCH_I386,
	// struct user_regs_struct of 32-bit tasks: 17 words, orig_eax is the 12th, eax the 7th.
	.prstatus_size = 17 * 4,
	.prstatus_number = 11 * 4,
	.prstatus_arguments = {0, 1 * 4, 2 * 4, 3 * 4, 4 * 4, 5 * 4},
	.prstatus_result = 6 * 4,
	.user_number = offsetof(struct user, regs.orig_rax),
	.user_arguments = {offsetof(struct user, regs.rbx), offsetof(struct user, regs.rcx),
		offsetof(struct user, regs.rdx), offsetof(struct user, regs.rsi),
		offsetof(struct user, regs.rdi), offsetof(struct user, regs.rbp)},
	.user_result = offsetof(struct user, regs.rax),
	.user_ip = offsetof(struct user, regs.rip),
	.numbers = {.clone = 120, .clone3 = 435, .fork = 2, .vfork = 190, .restart_syscall = 0},
};
