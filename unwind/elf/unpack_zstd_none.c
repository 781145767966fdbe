// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/unpack.h"

/** Instead of unpack_zstd.c where libzstd is missing. */
bool unpack_has_zstd(void)
{
	return false;
}

bool unpack_zstd(const void *data, size_t size, void *unpacked, size_t unpacked_size)
{
	(void)data;
	(void)size;
	(void)unpacked;
	(void)unpacked_size;
	return false;
}
