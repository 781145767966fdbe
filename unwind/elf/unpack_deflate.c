// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <libdeflate.h>

#include "unwind/elf/unpack.h"

bool unpack_zlib(const void *data, size_t size, void *unpacked, size_t unpacked_size)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	enum libdeflate_result result;

	if (!decompressor)
		return false;
	// Without a place for the actual size, any other size is an error.
	result =
		libdeflate_zlib_decompress(decompressor, data, size, unpacked, unpacked_size, NULL);
	libdeflate_free_decompressor(decompressor);
	return result == LIBDEFLATE_SUCCESS;
}
