// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/elf_image.h"

#include <elf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "unwind/elf/elf_file.h"

/** The largest image worth copying. */
enum { IMAGE_MAX = 64 * 1024 * 1024 };

static bool is_wanted(const struct elf_segment *segment)
{
	return segment->type == PT_LOAD && segment->flags & PF_R && !(segment->flags & PF_W);
}

struct elf_file *elf_image_copy(const struct elf_headers *headers, uint64_t bias,
	const struct unwind_source *source, const char *path, enum lookup_reason *reason_ret)
{
	uint64_t size = 0;
	uint8_t *image;

	for (size_t i = 0; i < headers->count; i++) {
		const struct elf_segment *segment = &headers->segments[i];

		if (!is_wanted(segment))
			continue;
		if (segment->file_size > IMAGE_MAX || segment->offset > IMAGE_MAX) {
			*reason_ret = LOOKUP_TOO_BIG;
			return NULL;
		}
		if (segment->offset + segment->file_size > size)
			size = segment->offset + segment->file_size;
	}
	if (size < headers->extent) {
		*reason_ret = LOOKUP_NOT_IN_MEMORY;
		return NULL;
	}
	image = xcalloc(1, size);
	for (size_t i = 0; i < headers->count; i++) {
		const struct elf_segment *segment = &headers->segments[i];

		if (is_wanted(segment))
			source->ops->read(source->context, segment->vaddr + bias,
				image + segment->offset, (size_t)segment->file_size);
	}
	return elf_file_from_image(image, (size_t)size, path, reason_ret);
}

struct elf_file *elf_image_read(const struct unwind_source *source, taddr start, uint64_t size,
	const char *path, enum lookup_reason *reason_ret)
{
	uint8_t *image;

	if (size > IMAGE_MAX) {
		*reason_ret = LOOKUP_TOO_BIG;
		return NULL;
	}
	image = xcalloc(1, (size_t)size);
	size = source->ops->read(source->context, start, image, (size_t)size);
	return elf_file_from_image(image, (size_t)size, path, reason_ret);
}
