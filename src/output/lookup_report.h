// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_LOOKUP_REPORT_H
#define SRC_OUTPUT_LOOKUP_REPORT_H

/** The text of --explain-lookups: what was tried, where the files are, what would help. */

#include "output/lookup_log.h"

struct buf;
struct unwind_context;

void lookup_report(struct buf *buf, struct lookup_log *log, struct unwind_context *unwind);

#endif
