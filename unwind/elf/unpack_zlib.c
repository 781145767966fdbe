// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <zlib.h>

#include "unwind/elf/unpack.h"

/** Instead of unpack_deflate.c where libdeflate is missing. */
bool unpack_zlib(const void *data, size_t size, void *unpacked, size_t unpacked_size)
{
	uLongf written = unpacked_size;

	return uncompress(unpacked, &written, data, size) == Z_OK && written == unpacked_size;
}
