// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "schema/const_set.h"

#include <string.h>

static const char *find_sorted(const struct constant *constants, size_t count, uint64_t value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (constants[middle].value == value)
			return constants[middle].name;
		if (constants[middle].value > value)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static const char *find_in_order(const struct constant *constants, size_t count, uint64_t value)
{
	for (size_t i = 0; i < count; i++)
		if (constants[i].value == value)
			return constants[i].name;
	return NULL;
}

const char *const_set_name(const struct const_set *set, enum abi_id abi, uint64_t value)
{
	switch (set->kind) {
	case CONST_SET_ENUM:
		return find_sorted(set->constants[abi], set->count[abi], value);
	case CONST_SET_FLAGS:
		return find_in_order(set->constants[abi], set->count[abi], value);
	}
	return NULL;
}

bool const_set_value(const struct const_set *set, enum abi_id abi, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < set->count[abi]; i++) {
		if (strcmp(set->constants[abi][i].name, name) == 0) {
			*ret = set->constants[abi][i].value;
			return true;
		}
	}
	return false;
}
