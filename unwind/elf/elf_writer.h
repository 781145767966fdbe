// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_ELF_WRITER_H
#define UNWIND_ELF_ELF_WRITER_H

/**
 * Puts debug sections together to an ELF file in memory, for libdw to read: it
 * only takes whole files.
 */

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct elf_writer_section {
	/** Name and contents are borrowed until elf_writer_finish(). */
	const char *name;
	const void *data;
	size_t size;
	/** SHF_COMPRESSED if the data starts with a compression header. */
	uint64_t flags;
};

/** Zero-initialised is empty and valid. */
struct elf_writer {
	ARRAY(struct elf_writer_section) sections;
};

void elf_writer_deinit(struct elf_writer *writer);
void elf_writer_add(
	struct elf_writer *writer, const char *name, const void *data, size_t size, uint64_t flags);
/**
 * Writes a file of the class and machine of @like. Returns the descriptor of a
 * memory file, which the caller closes, or -1.
 */
int elf_writer_finish(struct elf_writer *writer, Elf *like);

#endif
