// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_CHOOSE_H
#define SRC_CLI_CHOOSE_H

/** Which processes and threads are traced: by their ids, by user, by control group. */

struct error;
struct options;

/** -p: ids separated by commas and white space, as pidof(8) prints them. */
struct error *choose_attach(struct options *options, const char *argument);
/** --tid */
struct error *choose_threads(struct options *options, const char *argument);
/** --filter-pids */
struct error *choose_hidden(struct options *options, const char *argument);
/** -f */
struct error *choose_follow(struct options *options, const char *argument);
/**
 * The processes there are now that run as user @name (a name or a number), but for ourselves
 * and those we were started by, whose output we may be part of.
 */
struct error *choose_by_user(struct options *options, const char *name);
/** Those in the control group @path, absolute or below the mount of cgroup2, but for the same. */
struct error *choose_by_cgroup(struct options *options, const char *path);

#endif
