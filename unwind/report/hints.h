// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_REPORT_HINTS_H
#define UNWIND_REPORT_HINTS_H

/** What to do about missing names and lines, from what kind of system the module is on. */

struct diagnosis_list;

/** Fills in the advice of all modules of @list that miss something. */
void hints_add(struct diagnosis_list *list);

#endif
