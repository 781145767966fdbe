// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_CFI_H
#define UNWIND_FRAME_CFI_H

/**
 * Call frame information to rules: libdw decodes .eh_frame or .debug_frame,
 * this file turns the row for one address into a struct rule. Modules without
 * a search table (.eh_frame_hdr; static programs) are found by section: libdw
 * then indexes their descriptors itself as it passes over them.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "unwind/frame.h"
#include "unwind/frame/arch.h"

struct rule;
struct rule_store;

/**
 * The rule for @pc, in the file's own addresses; NULL if there is none or it
 * cannot be read. *@is_last_ret: the next address has another rule or none.
 */
const struct rule *cfi_rule(Dwarf_CFI *cfi, const struct arch *arch, enum frame_origin origin,
	uint64_t pc, struct rule_store *store, bool *is_last_ret);

#endif
