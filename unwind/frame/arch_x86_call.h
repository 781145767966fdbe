// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_ARCH_X86_CALL_H
#define UNWIND_FRAME_ARCH_X86_CALL_H

/** Call instructions of the x86 family, recognised by the bytes before a return address. */

#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/frame/arch.h"

/** As struct arch wants it; the target is not truncated to 32 bits. */
enum arch_call x86_call_before(const uint8_t *code, taddr address, taddr *target_ret);

/** Whether ARCH_CALL_BYTES end in syscall, sysenter or int $0x80. */
bool x86_system_call_before(const uint8_t *code);

/**
 * Whether @code, ARCH_STUB_BYTES at @address, jumps to where a word in memory points, as
 * calls into other files do. *@slot_ret is the address of the word.
 */
bool x86_64_jump_slot(const uint8_t *code, taddr address, taddr *slot_ret);
bool i386_jump_slot(const uint8_t *code, taddr address, taddr *slot_ret);

#endif
