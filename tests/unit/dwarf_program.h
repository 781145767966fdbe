// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_DWARF_PROGRAM_H
#define TESTS_UNIT_DWARF_PROGRAM_H

/**
 * Programs of all versions of DWARF, for tests of what reads it. DWARF_OF in the environment
 * lists their paths, with colons between them.
 */

#include "unwind/dwarf/dwarf_bytes.h"
#include "unwind/elf/elf_file.h"

/** Calls @fn with the path of each program; skips the test if there are none. */
void dwarf_program_each(void (*fn)(const char *path));
/** Opens a program, its DWARF too; the test fails if that is not possible. Caller destroys. */
struct elf_file *dwarf_program_open(const char *path);
/** The bytes of a section of DWARF, which live as long as @file; nothing if there is none. */
struct dwarf_bytes dwarf_program_section(const struct elf_file *file, const char *name);

#endif
