// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/minidebug.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

enum {
	UNPACKED_MIN = 64 * 1024,
	/** More is no symbol table but an attack. */
	UNPACKED_MAX = 256 * 1024 * 1024,
	DECODER_MEMORY = 128 * 1024 * 1024,
};

void *minidebug_unpack(const void *data, size_t size, uint64_t most, size_t *size_ret,
	enum lookup_reason *reason_ret)
{
	size_t capacity = UNPACKED_MIN;

	if (most > UNPACKED_MAX)
		most = UNPACKED_MAX;
	for (bool is_last = false;; capacity *= 4) {
		uint64_t memory_limit = DECODER_MEMORY;
		size_t in = 0, out = 0;
		void *unpacked;
		lzma_ret result;

		if (is_last) {
			*reason_ret = LOOKUP_UNPACKS_TO_TOO_MUCH;
			return NULL;
		}
		is_last = capacity >= most;
		if (is_last)
			capacity = (size_t)most;
		unpacked = xmalloc(capacity);
		result = lzma_stream_buffer_decode(
			&memory_limit, 0, NULL, data, &in, size, unpacked, &out, capacity);
		if (result == LZMA_OK) {
			*size_ret = out;
			return unpacked;
		}
		free(unpacked);
		if (result != LZMA_BUF_ERROR) {
			*reason_ret = LOOKUP_DAMAGED;
			return NULL;
		}
	}
}
