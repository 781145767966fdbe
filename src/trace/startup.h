// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_STARTUP_H
#define SRC_TRACE_STARTUP_H

/**
 * What the command of trace_launch() is given at its start beside its words: environment, user,
 * name. Done in the child, so nothing of it touches us.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct startup_identity {
	uid_t uid;
	gid_t gid;
	/** Whose further groups it has; NULL: none. Borrowed. */
	const char *user;
};

/** Zero-initialised changes nothing. Everything is borrowed. */
struct startup {
	/** `NAME=VALUE` to be set, `NAME` to be removed, in this order. */
	char *const *environment;
	size_t environment_count;
	/** NULL: the user stays who it is. */
	const struct startup_identity *identity;
	/** What stands in place of the first word, or NULL. */
	const char *argv0;
};

/**
 * In the child: takes on what @startup says and executes @path. Returns if that fails, errno says
 * why; *@what_ret is what was done then.
 */
void startup_execute(
	const struct startup *startup, const char *path, char *const argv[], const char **what_ret);

#endif
