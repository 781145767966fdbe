// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_INFLATE_H
#define UNWIND_INFLATE_H

/**
 * Debug sections compressed with zstd, which libelf before 0.189 (and later ones
 * built without it) cannot read: a copy of the file's debug sections is made with
 * these inflated. What libelf can inflate (zlib, .zdebug) is left to it.
 */

#include <libelf.h>
#include <stdbool.h>

/** Whether there is a debug section that is compressed with zstd. */
bool inflate_is_needed(Elf *elf);
/**
 * A memory file with the debug sections of @elf, readable by libelf; its
 * descriptor belongs to the caller. -1 with a constant text in *@detail_ret if it
 * cannot be made.
 */
int inflate_debug_sections(Elf *elf, const char **detail_ret);

#endif
