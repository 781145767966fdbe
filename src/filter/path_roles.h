// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_PATH_ROLES_H
#define SRC_FILTER_PATH_ROLES_H

/**
 * The roles of files in calls: which calls can carry paths or descriptors at all, and where in
 * their arguments. They are read off descriptions, without a call at hand.
 */

#include <stdbool.h>

#include "base/hash.h"

struct signature;
struct syscall;
struct syscall_set;
struct type;

enum path_role {
	/** Paths, with what belongs to them. */
	PATH_ROLE_PATH = 1 << 0,
	/** Descriptors. */
	PATH_ROLE_FD = 1 << 1,
	/** Memory in which a file may be mapped. */
	PATH_ROLE_REGION = 1 << 2,
	PATH_ROLES_ALL = (1 << 3) - 1,
};

/** Answers that were given, by type. Zero-initialised is empty; hash_deinit() frees it. */
struct path_roles_cache {
	struct hash types;
};

/** PATH_ROLE_* of what a value of @type may contain. */
unsigned path_roles_of_type(struct path_roles_cache *cache, const struct type *type);
/** PATH_ROLE_* of the arguments and the result of @signature and of all its variants. */
unsigned path_roles_of_signature(struct path_roles_cache *cache, const struct signature *signature);
/** The same of a call; 0 without a description. */
unsigned path_roles_of_call(struct path_roles_cache *cache, const struct syscall *syscall);
/**
 * Whether a call of @signature or of a variant of it gives a descriptor: returns it, or stores it
 * where memory is read at exit or a member is there once the call is `done`.
 */
bool path_roles_gives_fd(struct path_roles_cache *cache, const struct signature *signature);
/** Adds to @set, for all ABIs, the calls that carry any of @roles (PATH_ROLE_*). */
void path_roles_calls(unsigned roles, struct syscall_set *set);

#endif
