// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_TOUCH_H
#define SRC_FILTER_TOUCH_H

/**
 * Which calls can have to do with files at all, and where in their arguments: read off
 * their descriptions, without a call at hand.
 */

#include <stdbool.h>

#include "base/hash.h"

struct signature;
struct syscall;
struct syscall_set;
struct type;

enum touch {
	/** Paths, with what belongs to them. */
	TOUCH_PATH = 1 << 0,
	/** Descriptors. */
	TOUCH_FD = 1 << 1,
	/** Memory in which a file may be mapped. */
	TOUCH_REGION = 1 << 2,
	TOUCH_ALL = (1 << 3) - 1,
};

/** Answers that were given, by type. Zero-initialised is empty; hash_deinit() frees it. */
struct touch_cache {
	struct hash types;
};

/** TOUCH_* of what a value of @type may contain. */
unsigned touch_type(struct touch_cache *cache, const struct type *type);
/** TOUCH_* of the arguments and the result of @signature and of all its variants. */
unsigned touch_signature(struct touch_cache *cache, const struct signature *signature);
/** The same of a call; 0 without a description. */
unsigned touch_call(struct touch_cache *cache, const struct syscall *syscall);
/**
 * Whether a call of @signature or of a variant of it gives a descriptor: returns it, or stores it
 * where memory is read at exit or a member is there once the call is `done`.
 */
bool touch_gives_fd(struct touch_cache *cache, const struct signature *signature);
/** Adds to @set, for all ABIs, the calls that touch any of @touches (TOUCH_*). */
void touch_calls(unsigned touches, struct syscall_set *set);

#endif
