// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SUMMARY_SUMMARY_H
#define SRC_SUMMARY_SUMMARY_H

/** The tables of -c, -C and --errno-summary as an output: they come at the end. */

#include "output/output.h"

/** Not in the list of formats. Its own options are struct summary_options (summary/count.h). */
extern const struct output_format summary_format;

#endif
