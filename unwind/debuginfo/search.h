// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUGINFO_SEARCH_H
#define UNWIND_DEBUGINFO_SEARCH_H

/**
 * Finds what is not in a module's own file: its debug file, the file that one
 * shares parts with (dwz), and the symbols packed into .gnu_debugdata. In the
 * module's root directory first, then in ours. Nothing is accepted by its name:
 * the build-id must agree, or the checksum of the link where there is no
 * build-id. Each function looks once; failures are noted in @files.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/elf/elf_headers.h"

struct elf_file;
struct debug_files;

/** Belongs to @files; NULL if there is none. */
struct elf_file *search_debug_file(struct debug_files *files);
/** The file to read DWARF from: the module's own, else its debug file; NULL if there is none. */
struct elf_file *search_dwarf_file(struct debug_files *files);
/** The alternate file of search_dwarf_file(); NULL if there is none. */
struct elf_file *search_alt_file(struct debug_files *files);
/** Makes its DWARF known to libdw, which unpacks all of it; false if it cannot be had. */
bool search_alt_dwarf(struct debug_files *files);
/** The build-id of the alternate file that search_dwarf_file() asks for; false if for none. */
bool search_alt_id(struct debug_files *files, uint8_t ret[ELF_BUILD_ID_MAX], size_t *size_ret);
/** Takes over @file, which has that build-id. */
void search_take_alt_file(struct debug_files *files, struct elf_file *file);
/**
 * The file called @name (DW_AT_dwo_name) by a unit that was compiled in @folder, which may
 * be NULL; the caller destroys it. NULL if there is none, noted once.
 */
struct elf_file *search_split_file(struct debug_files *files, const char *folder, const char *name);
/** The .dwp file; belongs to @files. NULL if there is none. */
struct elf_file *search_split_package(struct debug_files *files);
/** The small symbol table that some distributions put into stripped files; or NULL. */
struct elf_file *search_mini_file(struct debug_files *files);

#endif
