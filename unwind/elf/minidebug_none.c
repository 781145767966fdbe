// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/minidebug.h"

/** Instead of minidebug.c where liblzma is missing. */
void *minidebug_unpack(const void *data, size_t size, uint64_t most, size_t *size_ret,
	enum lookup_reason *reason_ret)
{
	(void)data;
	(void)size;
	(void)most;
	(void)size_ret;
	*reason_ret = LOOKUP_COMPRESSION;
	return NULL;
}
