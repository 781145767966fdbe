// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/arena.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/value.h"
#include "decode/walk.h"

static const char *operation_text(struct walk *walk, unsigned operation)
{
	// From include/uapi/linux/futex.h.
	static const char *const names[] = {
		"FUTEX_OP_SET", "FUTEX_OP_ADD", "FUTEX_OP_OR", "FUTEX_OP_ANDN", "FUTEX_OP_XOR"};
	const char *shift = operation & 8 ? "FUTEX_OP_OPARG_SHIFT<<28|" : "";

	operation &= 7;
	if (operation < sizeof(names) / sizeof(names[0]))
		return arena_printf(walk->arena, "%s%s<<28", shift, names[operation]);
	return arena_printf(walk->arena, "%s%#x<<28 /* FUTEX_OP_??? */", shift, operation);
}

static const char *comparison_text(struct walk *walk, unsigned comparison)
{
	static const char *const names[] = {"FUTEX_OP_CMP_EQ", "FUTEX_OP_CMP_NE", "FUTEX_OP_CMP_LT",
		"FUTEX_OP_CMP_LE", "FUTEX_OP_CMP_GT", "FUTEX_OP_CMP_GE"};

	if (comparison < sizeof(names) / sizeof(names[0]))
		return arena_printf(walk->arena, "%s<<24", names[comparison]);
	return arena_printf(walk->arena, "%#x<<24 /* FUTEX_OP_CMP_??? */", comparison);
}

// What FUTEX_WAKE_OP does to the second futex and asks of it, packed into one number.
struct value *hook_futex_wake_op(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *flags;
	struct value *last = NULL;
	const char *texts[4];
	uint64_t number;

	(void)type;
	(void)args;
	if (!fetch_number(walk, place, 4, false, false, &number))
		return NULL;
	texts[0] = operation_text(walk, (unsigned)(number >> 28 & 0xf));
	texts[1] = arena_printf(walk->arena, "%#x<<12", (unsigned)(number >> 12 & 0xfff));
	texts[2] = comparison_text(walk, (unsigned)(number >> 24 & 0xf));
	texts[3] = arena_printf(walk->arena, "%#x", (unsigned)(number & 0xfff));
	flags = value_create(walk->arena, VALUE_FLAGS);
	flags->number = number;
	for (unsigned i = 0; i < 4; i++)
		value_append(flags, &last, value_named(walk->arena, number, texts[i]));
	return flags;
}
