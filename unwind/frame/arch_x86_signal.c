// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/arch_x86_signal.h"

#include <string.h>

static const struct rule *rule_in(
	const struct x86_trampoline *trampoline, const uint8_t *code, size_t before, size_t after)
{
	for (unsigned i = 0; i < trampoline->step_count; i++) {
		const struct x86_trampoline_step *step = &trampoline->steps[i];

		if (step->at <= before && (size_t)(trampoline->size - step->at) <= after &&
			!memcmp(code - step->at, trampoline->code, trampoline->size))
			return step->rule;
	}
	return NULL;
}

const struct rule *x86_trampoline_rule(const struct x86_trampoline *trampolines, size_t count,
	const uint8_t *code, size_t before, size_t after)
{
	const struct rule *rule = NULL;

	for (size_t i = 0; !rule && i < count; i++)
		rule = rule_in(&trampolines[i], code, before, after);
	return rule;
}
