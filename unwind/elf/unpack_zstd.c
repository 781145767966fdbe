// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <zstd.h>

#include "unwind/elf/unpack.h"

bool unpack_has_zstd(void)
{
	return true;
}

bool unpack_zstd(const void *data, size_t size, void *unpacked, size_t unpacked_size)
{
	return ZSTD_decompress(unpacked, unpacked_size, data, size) == unpacked_size;
}
