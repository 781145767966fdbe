// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_TABLES_H
#define SRC_SCHEMA_TABLES_H

/** What the generator makes of syscalls/: the data behind lookup.h. For src/schema only. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/abi_id.h"
#include "schema/lookup.h"

struct const_set;
struct syscall;
struct type;

/** A call that is made through another one (socketcall, ipc). */
struct syscall_sub {
	/** Number of the other call, and what its first argument is then. */
	uint16_t outer, number;
	/** Index into rows. */
	uint16_t row;
	/** Only the low half of the first argument counts. */
	bool any_version;
	/** See struct syscall_inner. */
	uint8_t arguments[SYSCALL_INNER_ARGUMENTS];
	uint8_t result;
};

/** The calls of one ABI. */
struct syscall_rows {
	/** In order of number; the last have made-up numbers: only other calls make them. */
	const struct syscall *rows;
	size_t count;
	/** By number: index into @rows plus one, or 0. */
	const uint16_t *by_number;
	/** Length of @by_number. */
	size_t numbers;
	/** Indexes into @rows in order of name. */
	const uint16_t *by_name;
	/** In order of outer and number. */
	const struct syscall_sub *subs;
	size_t sub_count;
};

/** By enum abi_id. */
extern const struct syscall_rows *const syscall_rows[ABI_COUNT];

/** All sets of the descriptions, in order of name. */
extern const struct const_set *const const_sets[];
extern const size_t const_set_count;

/** struct netlink_message of the descriptions, or NULL. */
extern const struct type *const netlink_message_type;

#endif
