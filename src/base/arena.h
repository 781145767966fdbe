// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_ARENA_H
#define SRC_BASE_ARENA_H

/**
 * Bump allocator: pieces are never freed singly, everything dies together.
 * After arena_reset() the blocks are kept, so an arena that serves one system
 * call after the other soon allocates nothing.
 */

#include <stddef.h>

struct arena_block;

/** Zero-initialised is empty and valid. */
struct arena {
	struct arena_block *first;
	struct arena_block *current;
};

/** Frees all memory; the arena is empty and usable again. */
void arena_deinit(struct arena *arena);
/** Forgets all pieces and keeps the memory (at most 64 KiB of it). */
void arena_reset(struct arena *arena);
/** @size uninitialised bytes aligned to 16. */
void *arena_alloc(struct arena *arena, size_t size);
/** @size zeroed bytes aligned to 16. */
void *arena_zalloc(struct arena *arena, size_t size);
/** A copy of @size bytes. */
void *arena_copy(struct arena *arena, const void *data, size_t size);
/** A NUL-terminated copy of @length bytes of @text. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
/** A formatted string. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
