// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// long interruptible_call(const long call[5], volatile sig_atomic_t *interrupted): the system call with number
// call[0] and the four arguments after it, or -EINTR if *interrupted. Interrupted at interruptible_call_begin or
// later, but before interruptible_call_end, nothing has happened yet: either it did not begin, or the
// kernel put it off to run the handler, and would begin it again (SA_RESTART; ptrace always).
// A file of its own, because link time optimization loses assembler within C.


#define EINTR 4

	.text
	.globl interruptible_call, interruptible_call_begin, interruptible_call_end, interruptible_call_interrupted
	.hidden interruptible_call, interruptible_call_begin, interruptible_call_end, interruptible_call_interrupted
	.type interruptible_call, @function
interruptible_call:
	.cfi_startproc
	movq %rdi, %r8
	movq %rsi, %r9
	movq (%r8), %rax
	movq 8(%r8), %rdi
	movq 16(%r8), %rsi
	movq 24(%r8), %rdx
	movq 32(%r8), %r10
interruptible_call_begin:
	cmpl $0, (%r9)
	jne interruptible_call_interrupted
	syscall
interruptible_call_end:
	ret
interruptible_call_interrupted:
	movq $-EINTR, %rax
	ret
	.cfi_endproc
	.size interruptible_call, . - interruptible_call

	.section .note.GNU-stack, "", @progbits
