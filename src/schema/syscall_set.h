// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_SYSCALL_SET_H
#define SRC_SCHEMA_SYSCALL_SET_H

/** A set of calls per ABI: what to show, what to stop at. */

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "schema/abi_id.h"

enum {
	/** Above the highest number of any table. */
	SYSCALL_SET_NUMBERS = 1024,
};

/** Zero-initialised is empty. */
struct syscall_set {
	uint64_t words[ABI_COUNT][BITS_WORDS(SYSCALL_SET_NUMBERS)];
	/** Whether numbers outside the tables are in the set. */
	bool unknown;
};

void syscall_set_fill(struct syscall_set *set);
void syscall_set_add(struct syscall_set *set, enum abi_id abi, uint64_t number);
/** Adds every call whose classes meet @classes (CLASS_* bits). */
void syscall_set_add_classes(struct syscall_set *set, uint32_t classes);
/** Adds the calls named @name in any ABI; false if there is none. */
bool syscall_set_add_name(struct syscall_set *set, const char *name);
void syscall_set_invert(struct syscall_set *set);
/** Adds what is in @more. */
void syscall_set_unite(struct syscall_set *set, const struct syscall_set *more);
/** Whether the call is in the set, or, for one that makes others, one of these. */
bool syscall_set_has(const struct syscall_set *set, enum abi_id abi, uint64_t number);

#endif
