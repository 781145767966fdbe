// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_JSON_H
#define SRC_OUTPUT_JSON_H

/**
 * One JSON object per event and line, as doc/json.md describes it. A call is
 * written when it has ended, whole, so nothing has to be joined by the reader.
 */

#include "output/output.h"

/** Grows when a field changes its meaning or goes away; new fields do not count. */
enum {
	JSON_VERSION = 1,
};

extern const struct output_format json_format;

#endif
