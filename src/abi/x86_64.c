// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <linux/audit.h>
#include <stddef.h>
#include <sys/user.h>

#include "abi/abi.h"

const struct abi abi_x86_64 = {
	.id = ABI_X86_64,
	.name = "x86_64",
	.word_size = 8,
	.audit_arch = AUDIT_ARCH_X86_64,
	// struct user_regs_struct: 27 words, orig_rax is the 16th, rax the 11th.
	.prstatus_size = 27 * 8,
	.prstatus_number = 15 * 8,
	.prstatus_arguments = {14 * 8, 13 * 8, 12 * 8, 7 * 8, 9 * 8, 8 * 8},
	.prstatus_result = 10 * 8,
	.user_number = offsetof(struct user, regs.orig_rax),
	.user_arguments = {offsetof(struct user, regs.rdi), offsetof(struct user, regs.rsi),
		offsetof(struct user, regs.rdx), offsetof(struct user, regs.r10),
		offsetof(struct user, regs.r8), offsetof(struct user, regs.r9)},
	.user_result = offsetof(struct user, regs.rax),
	.user_ip = offsetof(struct user, regs.rip),
	.numbers = {.clone = 56, .clone3 = 435, .fork = 57, .vfork = 58, .restart_syscall = 219},
};
