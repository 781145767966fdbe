// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_ELF_IMAGE_H
#define UNWIND_ELF_ELF_IMAGE_H

/**
 * An ELF file rebuilt from the memory of a process: the vdso, which has no
 * file, or a file that cannot be opened. It holds what was loaded, so call frame
 * information, and section headers only in the vdso.
 */

#include <stdint.h>

#include "base/taddr.h"
#include "unwind/elf/elf_headers.h"
#include "unwind/lookup_failure.h"
#include "unwind/source.h"

struct elf_file;

/** NULL with the reason in *@reason_ret if too little is readable. */
struct elf_file *elf_image_copy(const struct elf_headers *headers, uint64_t bias,
	const struct unwind_source *source, const char *path, enum lookup_reason *reason_ret);
/** The same from @size bytes at @start that are a whole file (the vdso). */
struct elf_file *elf_image_read(const struct unwind_source *source, taddr start, uint64_t size,
	const char *path, enum lookup_reason *reason_ret);

#endif
