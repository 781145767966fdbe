// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_CFI_BOUNDS_H
#define UNWIND_FRAME_CFI_BOUNDS_H

/**
 * Call frame information that costs too much. libdw 0.188 keeps an array of all registers up to
 * the highest number that a descriptor names, and copies it for each remembered state: 16 KB can
 * take gigabytes. So programs are looked at before libdw runs them. Of files without section
 * headers they are not.
 */

#include <libelf.h>
#include <stdbool.h>

/** Whether all of the section @data (NULL is) of @elf, .eh_frame or .debug_frame, can be run. */
bool cfi_is_bounded(Elf *elf, const Elf_Data *data, bool is_eh_frame);

#endif
