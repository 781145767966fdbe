// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_MATCH_H
#define SRC_FILTER_MATCH_H

/**
 * The verdict on a call. Which arguments are paths and descriptors comes from the
 * roles in its values, so from the descriptions; nothing here knows a call.
 */

#include <stdbool.h>

struct call;
struct query;
struct view;

enum match_verdict {
	/** Will not be shown, whatever comes. */
	MATCH_NO,
	/** To be shown. */
	MATCH_YES,
	/** Only the exit can tell. */
	MATCH_LATER,
};

/**
 * The verdict at entry as far as calls and paths go; outcomes (statuses) are not
 * considered. @view is used to find what descriptors and relative paths mean.
 */
enum match_verdict match_entry(
	const struct query *query, const struct call *call, struct view *view);
/** At exit, for a call that was MATCH_LATER. */
bool match_exit(const struct query *query, const struct call *call, struct view *view);
/** Whether the outcome of an ended call is wanted. */
bool match_status(const struct query *query, const struct call *call);

#endif
