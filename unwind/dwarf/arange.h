// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_ARANGE_H
#define UNWIND_DWARF_ARANGE_H

/**
 * The table of addresses by unit, .debug_aranges. libdw 0.188 looks at each unit to read it.
 * Format: DWARF 5, 6.1.2.
 */

#include <stdint.h>

#include "unwind/dwarf/dwarf_bytes.h"

/** @unit begins at that offset of .debug_info and has code from @low to before @high. */
typedef void arange_fn(void *context, uint64_t unit, uint64_t low, uint64_t high);

/** Calls @fn for each entry of @section, up to the first set that makes no sense. */
void arange_read(const struct dwarf_bytes *section, arange_fn *fn, void *context);

#endif
