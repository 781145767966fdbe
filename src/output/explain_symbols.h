// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_EXPLAIN_SYMBOLS_H
#define SRC_OUTPUT_EXPLAIN_SYMBOLS_H

/**
 * --explain-symbols: why names and lines are missing in the stacks that were shown, when the
 * user asks for it and at the end.
 */

#include <stdbool.h>

#include "output/output.h"

struct buf;

struct explain_options {
	/** --explain-symbols was given: also at the end. */
	bool enabled;
	/** Only for this module; NULL: for all. */
	const char *module;
	/** Objects to the sink, else text to standard error. */
	bool as_json;
};

/** Not in the list of formats. Its own options are struct explain_options. */
extern const struct output_format explain_symbols_format;

/** The report on @unwind. */
void explain_symbols_report(
	struct buf *buf, struct unwind_context *unwind, const struct explain_options *options);

#endif
