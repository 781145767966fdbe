// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_SILENT_H
#define SRC_OUTPUT_SILENT_H

/** Only messages to the reader, as text: for runs whose summary is all that is wanted. */

#include "output/output.h"

/** Not in the list of formats: -c chooses it. */
extern const struct output_format silent_format;

#endif
