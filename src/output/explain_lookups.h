// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_EXPLAIN_LOOKUPS_H
#define SRC_OUTPUT_EXPLAIN_LOOKUPS_H

/**
 * What the traced programs do to find debug files: each path they tried for each
 * wanted file, what came of it, which code tried it, and where the right file is.
 * Prints nothing before the end.
 */

#include "output/output.h"

/** Not in the list of formats: --explain-lookups chooses it. */
extern const struct output_format explain_lookups_format;

#endif
