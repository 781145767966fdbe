// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "abi/regs.h"

#include <string.h>

#include "abi/abi.h"
#include "base/bits.h"

// NULL if a task with these registers cannot make calls of @abi.
static const struct regs_layout *layout_of(const struct regs *regs, const struct abi *abi)
{
	if (regs->size == abi->regs->size)
		return abi->regs;
	return abi->foreign_regs && regs->size == abi->foreign_regs->size ? abi->foreign_regs
									  : NULL;
}

bool regs_are_of(const struct regs *regs, const struct abi *abi)
{
	return regs->size == abi->regs->size;
}

bool regs_fit(const struct regs *regs, const struct abi *abi)
{
	return layout_of(regs, abi);
}

uint64_t regs_get(const struct regs *regs, const struct abi *abi, enum reg_role role)
{
	const struct regs_layout *layout = layout_of(regs, abi);
	uint64_t value = 0;

	// Little-endian processors only, as far as there are ABIs.
	if (layout && layout->index[role] != REGS_NONE)
		memcpy(&value, regs->bytes + (size_t)layout->index[role] * layout->width,
			layout->width);
	return value;
}

int64_t regs_get_signed(const struct regs *regs, const struct abi *abi, enum reg_role role)
{
	const struct regs_layout *layout = layout_of(regs, abi);
	unsigned width = layout ? layout->width : sizeof(uint64_t);

	return (int64_t)sign_extend(regs_get(regs, abi, role), width);
}

void regs_set(struct regs *regs, const struct abi *abi, enum reg_role role, uint64_t value)
{
	const struct regs_layout *layout = layout_of(regs, abi);
	size_t at;

	if (!layout || layout->index[role] == REGS_NONE)
		return;
	at = (size_t)layout->index[role] * layout->width;
	memcpy(regs->bytes + at, &value, layout->width);
	if (regs->changed < at + layout->width)
		regs->changed = at + layout->width;
}
