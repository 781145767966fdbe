// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_SPLIT_H
#define UNWIND_DWARF_SPLIT_H

/**
 * Split DWARF: most of a compilation unit is in a .dwo file or, with those of all
 * units of a program, in a .dwp file; the program only has a skeleton with lines
 * and addresses. libdw 0.188 looks for .dwo files in one place by itself and does
 * not know .dwp; here both are found as other debug files are, and put together
 * with the skeleton's addresses to a file that libdw can read alone.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "unwind/dwarf/dwarf_bytes.h"

struct elf_file;
struct split_unit;
struct debug_files;

/** Whether @skeleton, the DIE of a unit, says that the rest is elsewhere. */
bool split_is_skeleton(Dwarf_Die *skeleton);
/** The rest of @skeleton, a unit of @file of @files; NULL with one failure for all of @files. */
struct split_unit *split_unit_create(
	struct debug_files *files, struct elf_file *file, Dwarf_Die *skeleton);
/** NULL is allowed. */
void split_unit_destroy(struct split_unit *unit);

/** The handle that its DIEs belong to. */
Dwarf *split_unit_dwarf(const struct split_unit *unit);
/** The DIE of the unit itself, which has the children that the skeleton has not. */
const Dwarf_Die *split_unit_die(const struct split_unit *unit);

/** Section @name of what its DIEs are in; empty if there is none. */
struct dwarf_bytes split_unit_section(const struct split_unit *unit, const char *name);

typedef void split_range_fn(void *context, uint64_t low, uint64_t high);
/** Calls @fn for each stretch of code of @die, one of the unit's. */
void split_unit_ranges(
	const struct split_unit *unit, Dwarf_Die *die, split_range_fn *fn, void *context);

#endif
