// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/arch_table.h"

#include "base/array.h"

static const struct arch *const arches[] = {
	[UNWIND_ARCH_X86_64] = &arch_x86_64,
	[UNWIND_ARCH_I386] = &arch_i386,
};

const struct arch *arch_get(enum unwind_arch id)
{
	return arches[id];
}

enum unwind_arch unwind_arch_native(void)
{
	return unwind_arch_by_word(sizeof(void *));
}

enum unwind_arch unwind_arch_by_word(unsigned word)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++) {
		if (arches[i]->word == word)
			return arches[i]->id;
	}
	return arches[0]->id;
}

const struct arch *arch_by_prstatus(size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++) {
		if (arches[i]->prstatus_size == size)
			return arches[i];
	}
	return NULL;
}
