// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_PREFILTER_H
#define SRC_FILTER_PREFILTER_H

/**
 * The prefilter of -P: rules calls out before they are decoded. Most calls with paths are none
 * of ours. For the plain ones among them this can be told from the registers and the text of
 * the path, before any value is made, and the call need not be seen to end. What
 * is not ruled out here is decoded and asked about in full.
 */

#include <stdbool.h>
#include <stdint.h>

#include "schema/abi_id.h"

struct match_paths;
struct path_task;
struct syscall;
struct view;

struct prefilter_call {
	enum abi_id abi;
	/** NULL for a number that no table has. */
	const struct syscall *syscall;
	const uint64_t *args;
	/** The task's memory. */
	struct view *view;
	/** No descriptor of the task is of what is asked for. */
	bool holds_nothing;
	/** Nobody else can change the task's descriptors while it makes the call. */
	bool alone;
};

enum prefilter_verdict {
	/** It has to be decoded and asked about. */
	PREFILTER_UNSURE,
	/** It has nothing to do with what is asked for, its result included. */
	PREFILTER_NO,
	/** Nor has this, but for the descriptor it may return: see prefilter_result(). */
	PREFILTER_LATER,
};

enum prefilter_verdict prefilter_check(
	struct match_paths *paths, struct path_task *task, const struct prefilter_call *entry_call);
/** Of a call that was PREFILTER_LATER and has succeeded: whether @result may be asked for. */
bool prefilter_result(struct match_paths *paths, struct path_task *task, int64_t result);
/** Whether the variant of the call that its registers choose returns a descriptor. */
bool prefilter_returns_fd(const struct prefilter_call *entry_call);

#endif
