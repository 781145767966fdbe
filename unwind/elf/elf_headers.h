// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_ELF_HEADERS_H
#define UNWIND_ELF_ELF_HEADERS_H

/**
 * The part of an ELF file that says how it lies in memory, read through a
 * callback from a file or from a process. Both may be hostile: every number is
 * checked before it is used. Little-endian files only (that is all we trace).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

enum {
	ELF_HEADERS_SEGMENTS_MAX = 256,
	ELF_BUILD_ID_MAX = 64,
};

struct elf_segment {
	uint32_t type;
	uint32_t flags;
	uint64_t offset;
	uint64_t vaddr;
	uint64_t file_size;
	uint64_t memory_size;
};

struct elf_headers {
	bool is_64;
	uint16_t machine;
	uint16_t type;
	/** Where execution starts, in the file's own addresses. */
	uint64_t entry;
	/** Bytes from the start that hold the ELF header and the program headers. */
	uint64_t extent;
	struct elf_segment *segments;
	size_t count;
};

/** Copies up to @size bytes at @position to @data; returns how many. */
typedef size_t elf_read_fn(void *context, uint64_t position, void *data, size_t size);

/** Whether this begins an ELF file that elf_headers_read() may understand. */
bool elf_headers_match(const uint8_t *data, size_t size);
/** False if there is no ELF header at position 0 or it makes no sense. */
bool elf_headers_read(struct elf_headers *ret, elf_read_fn *read, void *context);
void elf_headers_deinit(struct elf_headers *headers);

/**
 * What must be added to the file's addresses when its bytes from @offset on
 * are mapped at @address. With several candidates the segment with all of
 * @flags (PF_X) counts. False if no PT_LOAD contains @offset.
 */
bool elf_headers_bias(const struct elf_headers *headers, uint64_t offset, taddr address,
	uint32_t flags, uint64_t *bias_ret);

/**
 * The build-id from the PT_NOTE segments, read at their virtual addresses
 * plus @bias. Returns its size (0: none) and fills @ret.
 */
size_t elf_headers_build_id(const struct elf_headers *headers, uint64_t bias, elf_read_fn *read,
	void *context, uint8_t ret[ELF_BUILD_ID_MAX]);

/** The build-id in @size bytes of notes aligned to @alignment (4 or 8), as above. */
size_t elf_notes_build_id(
	const uint8_t *notes, size_t size, size_t alignment, uint8_t ret[ELF_BUILD_ID_MAX]);

#endif
