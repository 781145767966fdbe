// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "schema/syscall_set.h"

#include <string.h>

#include "schema/lookup.h"
#include "schema/syscall.h"

void syscall_set_fill(struct syscall_set *set)
{
	memset(set->words, 0xff, sizeof(set->words));
	set->unknown = true;
}

void syscall_set_add(struct syscall_set *set, enum abi_id abi, uint64_t number)
{
	if (number < SYSCALL_SET_NUMBERS)
		bits_set(set->words[abi], number);
}

void syscall_set_add_classes(struct syscall_set *set, uint32_t classes)
{
	for (int abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; i < count; i++)
			if (calls[i].classes & classes)
				syscall_set_add(set, abi, calls[i].number);
	}
}

bool syscall_set_add_name(struct syscall_set *set, const char *name)
{
	bool found = false;

	for (int abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall *call = syscall_by_name(abi, name);

		if (call) {
			syscall_set_add(set, abi, call->number);
			found = true;
		}
	}
	return found;
}

void syscall_set_invert(struct syscall_set *set)
{
	uint64_t *words = &set->words[0][0];

	for (size_t i = 0; i < sizeof(set->words) / sizeof(*words); i++)
		words[i] = ~words[i];
	set->unknown = !set->unknown;
}

void syscall_set_unite(struct syscall_set *set, const struct syscall_set *more)
{
	uint64_t *words = &set->words[0][0];
	const uint64_t *others = &more->words[0][0];

	for (size_t i = 0; i < sizeof(set->words) / sizeof(*words); i++)
		words[i] |= others[i];
	set->unknown |= more->unknown;
}

// Whether one of the calls that @outer makes is in the set.
static bool has_within(const struct syscall_set *set, enum abi_id abi, uint64_t outer)
{
	enum { WITHIN_MAX = 32 };

	for (uint64_t number = 0; number < WITHIN_MAX; number++) {
		const struct syscall *call = syscall_within(abi, outer, number);

		if (call && bits_test(set->words[abi], call->number))
			return true;
	}
	return false;
}

bool syscall_set_has(const struct syscall_set *set, enum abi_id abi, uint64_t number)
{
	if (number >= SYSCALL_SET_NUMBERS)
		return set->unknown;
	return bits_test(set->words[abi], number) ||
	       (syscall_is_outer(abi, number) && has_within(set, abi, number));
}
