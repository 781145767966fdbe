// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_STOP_SET_H
#define SRC_SESSION_STOP_SET_H

/** Which calls the tasks must stop at for what the user asked to see. */

#include <stdbool.h>

#include "schema/syscall_set.h"
#include "trace/seccomp.h"

struct session_options;

enum session_filter {
	/** A seccomp filter where it pays and does no harm. */
	SESSION_FILTER_AUTO,
	/** Wherever it is possible, at the price of no_new_privs. */
	SESSION_FILTER_ON,
	SESSION_FILTER_OFF,
};

struct stop_set {
	/** Calls to show, and those by which we learn what others mean. */
	struct syscall_set calls;
	/** Of these, what a filter must stop at. */
	struct seccomp_traps traps;
	/** Calls with descriptors stop only where session/fd_watch.h says so. */
	bool watches;
};

void stop_set_init(struct stop_set *wanted, const struct session_options *options);
/** Why the command gets no filter; NULL if it does: *@no_new_privs_ret says at which price. */
const char *session_filter_absence(const struct session_options *options, bool *no_new_privs_ret);
/** Why --seccomp-bpf=on is not obeyed, or NULL. */
const char *session_filter_refusal(const struct session_options *options);

#endif
