// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_MESSAGES_H
#define SRC_OUTPUT_MESSAGES_H

/** Only messages to the reader, as text: for -c, whose tables are all else that is wanted. */

#include "output/output.h"

/** Not in the list of formats: -c chooses it. */
extern const struct output_format messages_format;

#endif
