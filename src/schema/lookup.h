// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_LOOKUP_H
#define SRC_SCHEMA_LOOKUP_H

/** From numbers, names and classes to calls, per ABI. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/abi_id.h"
#include "schema/syscall.h"

struct const_set;

/** The call with @number, or NULL. One index operation for small numbers. */
const struct syscall *syscall_by_number(enum abi_id abi, uint64_t number);
/**
 * The call that call @outer (socketcall, ipc) stands for when its first argument is
 * @number; NULL if it stands for itself. Where the kernel has no number for it, its
 * number is made up, for syscall_set only: syscall_by_number() does not know it.
 */
const struct syscall *syscall_within(enum abi_id abi, uint64_t outer, uint64_t number);
enum {
	SYSCALL_INNER_ARGUMENTS = 6,
	/** Of a place in struct syscall_inner: the register; it points to words in memory. */
	SYSCALL_PLACE_REGISTER = 0x07,
	SYSCALL_PLACE_BEHIND = 0x08,
	/** Shift: which word, in a row behind the register. */
	SYSCALL_PLACE_WORD = 4,
	SYSCALL_PLACE_NONE = 0xff,
};

/** A call that is made through another one: where it has its arguments and leaves its result. */
struct syscall_inner {
	const struct syscall *call;
	/** SYSCALL_INNER_ARGUMENTS places, the last ones SYSCALL_PLACE_NONE. */
	const uint8_t *arguments;
	/** The place of the result; SYSCALL_PLACE_NONE: as that of any call. */
	uint8_t result;
};

/** The same with its places, for the first argument as the task passed it. */
bool syscall_inner(enum abi_id abi, uint64_t outer, uint64_t argument, struct syscall_inner *ret);
/** Whether the call with number @outer makes others. */
bool syscall_is_outer(enum abi_id abi, uint64_t outer);
/** The call named @name, or NULL. */
const struct syscall *syscall_by_name(enum abi_id abi, const char *name);
/** All calls of @abi in order of number; *@count_ret is how many. */
const struct syscall *syscall_table(enum abi_id abi, size_t *count_ret);
/** CLASS_* bits of a class as users spell it ("%file", "file", "%%stat"); 0 if unknown. */
uint32_t syscall_class_by_name(const char *name);
/**
 * The next effect of @kind that @syscall has, after @after or from the start (NULL); NULL if
 * there is none, or if @syscall is NULL or not described.
 */
const struct syscall_effect *syscall_effect(
	const struct syscall *syscall, enum effect_kind kind, const struct syscall_effect *after);
/** The names of all classes, with their %. */
size_t syscall_class_count(void);
const char *syscall_class_name(size_t index);
/**
 * What a message of netlink is made of: a struct shown as a list of its members, with
 * the parameters protocol, type and flags. NULL if there is no such description.
 */
const struct type *netlink_message(void);
/** The constant set @name of the descriptions, or NULL. */
const struct const_set *const_set_by_name(const char *name);

#endif
