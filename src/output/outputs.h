// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_OUTPUTS_H
#define SRC_OUTPUT_OUTPUTS_H

/**
 * All outputs of a run. Whoever has news hands it over once, and each output gets it, in the
 * order in which they were added. Functions that an output does without are left out here.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "output/output.h"

/** Zero-initialised is empty and valid. */
struct outputs {
	ARRAY(struct output *) list;
	/** OUTPUT_NEEDS_* of all of them. */
	unsigned needs;
};

/**
 * Creates one more output; @sink is borrowed until outputs_finish(). @options is copied, its
 * @own comes from @request.
 */
void outputs_add(struct outputs *outputs, const struct output_request *request,
	const struct output_options *options, struct sink *sink);
/** Whether one of them needs @need. */
bool outputs_need(const struct outputs *outputs, enum output_need need);
/** These do what the functions of struct output_format say, for all outputs. */
void outputs_call_begin(struct outputs *outputs, const struct event *event);
void outputs_call_runs(struct outputs *outputs, const struct event *event);
void outputs_call_end(struct outputs *outputs, const struct event *event);
void outputs_event(struct outputs *outputs, const struct event *event);
void outputs_tasks(struct outputs *outputs, size_t count);
void outputs_flush_pending(struct outputs *outputs, bool wait);
/** Finishes and frees all outputs; the list is empty then. */
void outputs_finish(struct outputs *outputs);

#endif
