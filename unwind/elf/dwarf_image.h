// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_DWARF_IMAGE_H
#define UNWIND_ELF_DWARF_IMAGE_H

/**
 * An ELF file in memory with the debug sections of another one, unpacked, for
 * libdw to read. libdw would unpack all of them itself, but slowly, also those that
 * nobody asks for, and not those packed with zstd (libelf 0.188). Zeroes behind each
 * section stop it where it would read on for the end of a string.
 */

#include <stdbool.h>
#include <stddef.h>

struct elf_file;

enum dwarf_image_result {
	/** A big file that is not packed, or what only libelf can read. */
	DWARF_IMAGE_NOT_NEEDED,
	DWARF_IMAGE_MADE,
	/** Sections are packed in a way that neither we nor libelf can undo. */
	DWARF_IMAGE_IMPOSSIBLE,
	/** All of it is more than elf_file_unpacked_max(). */
	DWARF_IMAGE_TOO_MUCH,
};

/**
 * @with_locations: including where variables are, which is much and only needed for
 * values. If made, *@image_ret is allocated and *@size_ret its size; if impossible or too
 * much, *@detail_ret is a constant text that says why.
 */
enum dwarf_image_result dwarf_image_create(const struct elf_file *file, bool with_locations,
	void **image_ret, size_t *size_ret, const char **detail_ret);

/**
 * Only the strings of .debug_str, unpacked and with a zero behind the last, allocated; their
 * size in *@size_ret. NULL if they can only be had by other means, or not at all.
 */
char *dwarf_image_strings(const struct elf_file *file, size_t *size_ret);

#endif
