// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_MATCH_H
#define SRC_FILTER_MATCH_H

/**
 * The verdict on a call. Which arguments are paths, descriptors and mapped memory comes
 * from the roles in its values, so from the descriptions; nothing here knows a call.
 */

#include <stdbool.h>

#include "base/hash.h"
#include "filter/path_filter.h"
#include "filter/path_roles.h"
#include "schema/syscall_set.h"

struct call;
struct query;

enum match_verdict {
	/** Will not be shown, whatever comes. */
	MATCH_NO,
	/** To be shown. */
	MATCH_YES,
	/** Only the exit can tell. */
	MATCH_LATER,
};

/** What matching by paths needs, for one run. */
struct match_paths {
	struct path_filter filter;
	struct path_roles_cache roles;
	/** Of filter/prefilter.h: what is known of calls, by their description. */
	struct hash plans;
	/** Paths get a note with what they resolve to. */
	bool note;
	/** What is asked for lies below a path of the call that was asked about last. */
	bool above;
};

void match_paths_init(struct match_paths *paths, struct path_set *set, bool keeps, bool note);
void match_paths_deinit(struct match_paths *paths);

/**
 * The calls that @query can show at all: with paths to look for, calls that carry neither
 * path nor descriptor nor memory never can. The rest need not stop for its sake.
 */
struct syscall_set match_calls(const struct query *query);
/**
 * The verdict at entry as far as calls and paths go; outcomes (statuses) are not
 * considered. @paths and @task are only used if the query has paths.
 */
enum match_verdict match_entry(const struct query *query, struct match_paths *paths,
	struct path_task *task, struct call *call);
/** At exit, for a call that was MATCH_LATER. */
bool match_exit(struct match_paths *paths, struct path_task *task, struct call *call);
/** After the exit of a call that is shown: what it did to files is taken note of. */
void match_done(struct match_paths *paths, struct path_task *task, const struct call *call);
/** Whether the outcome of an ended call is wanted. */
bool match_status(const struct query *query, const struct call *call);

#endif
