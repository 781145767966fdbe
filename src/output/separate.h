// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_SEPARATE_H
#define SRC_OUTPUT_SEPARATE_H

/**
 * A file for each task (-ff): an output that hands each event to an output of the task's own,
 * which writes to PATH.TID. Messages about no task go to standard error.
 */

#include <stdbool.h>

#include "output/output.h"

/** What struct output_request says of it. Borrowed. */
struct separate_options {
	/** Of the files. */
	const struct output_format *format;
	const char *path;
	bool append;
};

/** Not in the list of formats: -ff chooses it. */
extern const struct output_format separate_format;

#endif
