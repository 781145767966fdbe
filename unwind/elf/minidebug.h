// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_MINIDEBUG_H
#define UNWIND_ELF_MINIDEBUG_H

/** Unpacks .gnu_debugdata, an xz-compressed ELF file with a symbol table. */

#include <stddef.h>
#include <stdint.h>

#include "unwind/lookup_failure.h"

/**
 * The unpacked bytes, malloc'ed, and their number. NULL with the
 * reason in *@reason_ret if @data is damaged or unpacks to more than @most.
 */
void *minidebug_unpack(const void *data, size_t size, uint64_t most, size_t *size_ret,
	enum lookup_reason *reason_ret);

#endif
