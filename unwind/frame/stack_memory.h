// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_STACK_MEMORY_H
#define UNWIND_FRAME_STACK_MEMORY_H

/**
 * The stack bytes of one walk. Reading from a process costs microseconds
 * however little is read, so the first read takes a piece that usually holds
 * the whole walk, and later pieces grow. Contents are valid for one stop.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/source.h"

enum {
	STACK_MEMORY_PIECES = 4,
	/** Bytes of the first read when nothing better is known. */
	STACK_MEMORY_DEFAULT = 8 * 1024,
	/** Bytes of the largest read. */
	STACK_MEMORY_MAX = 256 * 1024,
	/** Reads that one walk may do. */
	STACK_MEMORY_READS = 4096,
};

struct stack_piece {
	taddr start;
	size_t size;
	size_t capacity;
	uint8_t *data;
};

/** Zero-initialised is valid; the buffers serve one walk after the other. */
struct stack_memory {
	const struct unwind_source *source;
	struct stack_piece pieces[STACK_MEMORY_PIECES];
	/** The piece the next read replaces. */
	unsigned next;
	/** Reads done in this walk. */
	unsigned reads;
	/** Where the first piece begins, and how much behind it was used. */
	taddr base;
	size_t used;
};

void stack_memory_deinit(struct stack_memory *memory);
/** Forgets all contents; nothing is read before it is asked for. */
void stack_memory_begin(
	struct stack_memory *memory, const struct unwind_source *source, taddr sp, size_t size);
/** A little-endian value of @size (1 to 8) bytes at @address; false if it cannot be read. */
bool stack_memory_read(struct stack_memory *memory, taddr address, size_t size, uint64_t *ret);

#endif
