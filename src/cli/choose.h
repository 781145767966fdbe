// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_CHOOSE_H
#define SRC_CLI_CHOOSE_H

/** Processes to attach to that are not named by their ids: --uid, --cgroup. */

struct error;
struct options;

/**
 * The processes there are now that run as user @name (a name or a number), but for ourselves
 * and those we were started by, whose output we may be part of.
 */
struct error *choose_by_user(struct options *options, const char *name);
/** Those in the control group @path, absolute or below the mount of cgroup2, but for the same. */
struct error *choose_by_cgroup(struct options *options, const char *path);

#endif
