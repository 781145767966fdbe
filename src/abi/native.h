// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_ABI_NATIVE_H
#define SRC_ABI_NATIVE_H

/** What the C library says of registers in its own way: the interrupted pc in a signal handler. */

#include <stdint.h>
#include <ucontext.h>

/** The program counter that the signal interrupted. */
static inline uintptr_t native_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
#error "say where ucontext_t has the program counter"
#endif
}

/** The handler returns to @pc. */
static inline void native_set_pc(ucontext_t *context, uintptr_t pc)
{
#if defined(__x86_64__)
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
#endif
}

#endif
