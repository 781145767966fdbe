// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/hook.h"

#include "decode/eval.h"
#include "decode/walk.h"
#include "schema/type.h"
#include "syscalls/hooks.h"

#define HOOK_ENTRY(id, name) [HOOK_##id] = hook_##name,

static hook_fn *const hooks[HOOK_COUNT + 1] = {HOOKS(HOOK_ENTRY)};

struct value *hook_value(struct walk *walk, const struct type *type, const struct place *place)
{
	uint64_t args[HOOK_ARGS_MAX] = {0};

	for (unsigned i = 0; i < type->argument_count && i < HOOK_ARGS_MAX; i++)
		args[i] = eval(walk, type->arguments[i]);
	if (type->hook < 0 || type->hook >= HOOK_COUNT || !hooks[type->hook])
		return NULL;
	return hooks[type->hook](walk, type, place, args);
}
