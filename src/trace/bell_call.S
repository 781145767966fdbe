// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// long bell_call(const long call[5], volatile sig_atomic_t *rung): the system call with number
// call[0] and the four arguments after it, or -EINTR if *rung. Interrupted at bell_call_begin or
// later, but before bell_call_end, nothing has happened yet: either it did not begin, or the
// kernel put it off to run the handler, and would begin it again (SA_RESTART; ptrace always).
// A file of its own, because link time optimization loses assembler within C.

#ifndef __x86_64__
#error "bell_call() has to be written for this architecture"
#endif

#define EINTR 4

	.text
	.globl bell_call, bell_call_begin, bell_call_end, bell_call_rung
	.hidden bell_call, bell_call_begin, bell_call_end, bell_call_rung
	.type bell_call, @function
bell_call:
	.cfi_startproc
	movq %rdi, %r8
	movq %rsi, %r9
	movq (%r8), %rax
	movq 8(%r8), %rdi
	movq 16(%r8), %rsi
	movq 24(%r8), %rdx
	movq 32(%r8), %r10
bell_call_begin:
	cmpl $0, (%r9)
	jne bell_call_rung
	syscall
bell_call_end:
	ret
bell_call_rung:
	movq $-EINTR, %rax
	ret
	.cfi_endproc
	.size bell_call, . - bell_call

	.section .note.GNU-stack, "", @progbits
