// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_UNPACK_H
#define UNWIND_ELF_UNPACK_H

/**
 * Unpacks compressed sections whose unpacked size is known. libdeflate does it
 * two to three times as fast as zlib, which is used where that is missing.
 */

#include <stdbool.h>
#include <stddef.h>

/** Whether @size bytes of zlib data @data became exactly @unpacked_size bytes of @unpacked. */
bool unpack_zlib(const void *data, size_t size, void *unpacked, size_t unpacked_size);
/** Whether this build can unpack zstd. */
bool unpack_has_zstd(void);
/** The same for zstd. */
bool unpack_zstd(const void *data, size_t size, void *unpacked, size_t unpacked_size);

#endif
