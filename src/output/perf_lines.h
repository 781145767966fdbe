// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_PERF_LINES_H
#define SRC_OUTPUT_PERF_LINES_H

/**
 * Lines laid out as by perf-trace(1), for eyes and scripts that are used to them:
 *
 *          0.079 ( 0.018 ms): id/1783 close(fd: 3)                           = 0
 *          0.101 ( 0.000 ms): id/1783 minfault [main+0x9d] => [anon]@0x7fb425d1d000 (d.)
 *                                         main (/tmp/pf)
 *
 * Milliseconds since the first event and how long the call took, command and thread,
 * arguments with their names. A call is one line, written when it has ended: lines stand
 * in the order of ends, and `...` and `[continued]` do not occur.
 */

#include "output/output.h"

extern const struct output_format perf_lines_format;

#endif
