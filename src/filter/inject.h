// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_INJECT_H
#define SRC_FILTER_INJECT_H

/**
 * What is to be done to which calls (--inject, --fault), and at which of them. Only the wish: it is
 * carried out by session/tamper.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "schema/abi_id.h"
#include "schema/syscall_set.h"

struct error;

enum inject_result {
	/** The call is made, and returns what it returns. */
	INJECT_RESULT_NONE,
	/** It is not made, and fails with the error. */
	INJECT_RESULT_ERROR,
	/** It is not made, and returns the value as if it had succeeded. */
	INJECT_RESULT_VALUE,
};

enum {
	/** Arguments that can be named; calls of our ABIs have one less. */
	INJECT_ARGUMENTS = 7,
};

/** Bytes for the memory behind an argument. */
struct inject_poke {
	/** From 0 on. */
	unsigned argument;
	/** Owned. */
	uint8_t *bytes;
	size_t length;
};

struct inject_pokes {
	ARRAY(struct inject_poke) list;
};

struct inject_rule {
	struct syscall_set calls;
	enum inject_result result;
	/** The errno, or the value. */
	uint64_t value;
	/** Sent at the entry; 0 for none. */
	int signal;
	/** With a result: the call made instead (syscall=), by its number or UINT64_MAX. */
	bool has_number;
	uint64_t number[ABI_COUNT];
	/** In nanoseconds. */
	bool delays_entry, delays_exit;
	uint64_t delay_entry, delay_exit;
	struct inject_pokes poke_entry, poke_exit;
	/** At which calls, counted from 1: @first, and on by @step (0: no more) to @last. */
	uint64_t first, last, step;
};

/** In the order in which they were given. */
struct inject_rules {
	ARRAY(struct inject_rule) list;
};

/**
 * --inject=@text as strace(1) spells it, SET:WHAT[:WHAT]… On success the new rule is at the
 * end of the list.
 */
struct error *inject_add(struct inject_rules *rules, const char *text);
/** --fault=@text: SET[:error=E][:syscall=C][:when=W]; ENOSYS if nothing else is said. */
struct error *inject_add_fault(struct inject_rules *rules, const char *text);
void inject_deinit(struct inject_rules *rules);

/** What is to be done to a call: the last rule about it, or NULL. */
const struct inject_rule *inject_find(
	const struct inject_rules *rules, enum abi_id abi, uint64_t number);
/** Whether the @count-th call, from 1 on, is one of those that @rule means. */
bool inject_is_due(const struct inject_rule *rule, uint64_t count);
/** Whether any rule sends a signal. */
bool inject_has_signals(const struct inject_rules *rules);
/** The errno that a program will take a value= of @rule for, or 0. */
int inject_looks_like_error(const struct inject_rule *rule);

#endif
