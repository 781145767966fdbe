// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_REPORT_H
#define SRC_OUTPUT_REPORT_H

/** Why names and lines are missing, for people and as JSON. */

struct buf;
struct diagnosis_list;

/** A paragraph for each module. */
void report_text(struct buf *buf, const struct diagnosis_list *list);
/** An object per line for each module, of kind "module" (doc/json.md). */
void report_json(struct buf *buf, const struct diagnosis_list *list);

#endif
