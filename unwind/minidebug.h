// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MINIDEBUG_H
#define UNWIND_MINIDEBUG_H

/** Unpacks .gnu_debugdata, an xz-compressed ELF file with a symbol table. */

#include <stddef.h>

/**
 * The unpacked bytes, malloc'ed, and their number. NULL with a constant
 * sentence in *@reason_ret if @data is damaged or unpacks to too much.
 */
void *minidebug_unpack(const void *data, size_t size, size_t *size_ret, const char **reason_ret);

#endif
