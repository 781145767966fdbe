// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/arch.h"

const struct arch *arch_get(enum unwind_arch id)
{
	switch (id) {
	case UNWIND_ARCH_X86_64:
		return &arch_x86_64;
	case UNWIND_ARCH_I386:
		return &arch_i386;
	}
	return &arch_x86_64;
}
