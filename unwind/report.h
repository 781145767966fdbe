// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_REPORT_H
#define UNWIND_REPORT_H

/**
 * The public interface for reports, beside unwind.h: why names and lines are missing and what
 * to do about it (diagnose.h), which files were tried in vain (lookup_failure.h), what programs
 * that debug an ELF file have to find (debug_needs.h), and which packages have it (package.h).
 */

#include "unwind/debug_needs.h"
#include "unwind/diagnose.h"
#include "unwind/lookup_failure.h"
#include "unwind/package.h"

#endif
