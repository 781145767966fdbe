// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_ARCH_TABLE_H
#define UNWIND_FRAME_ARCH_TABLE_H

/** The architectures one by one, for arch_table.c and for tests; others use arch_get(). */

#include "unwind/frame/arch.h"

extern const struct arch arch_x86_64;
extern const struct arch arch_i386;

#endif
