// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum {
	BLOCK_SIZE = 8 * 1024,
	KEEP_SIZE = 64 * 1024,
	ALIGNMENT = 16,
};

struct arena_block {
	struct arena_block *next;
	size_t size;
	size_t used;
	_Alignas(ALIGNMENT) unsigned char data[];
};

void arena_deinit(struct arena *arena)
{
	struct arena_block *block = arena->first;

	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	*arena = (struct arena){0};
}

void arena_reset(struct arena *arena)
{
	size_t kept = 0;
	struct arena_block **link = &arena->first;

	while (*link) {
		struct arena_block *block = *link;

		kept += block->size;
		if (kept > KEEP_SIZE) {
			*link = block->next;
			free(block);
			continue;
		}
		block->used = 0;
		link = &block->next;
	}
	arena->current = arena->first;
}

static struct arena_block *next_block(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->current ? arena->current->next : arena->first;

	while (block && block->size < size)
		block = block->next;
	if (!block) {
		size_t wanted = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		assert(size < SIZE_MAX - sizeof(*block));
		block = xmalloc(sizeof(*block) + wanted);
		block->size = wanted;
		block->used = 0;
		block->next = NULL;
		if (arena->current) {
			block->next = arena->current->next;
			arena->current->next = block;
		} else {
			block->next = arena->first;
			arena->first = block;
		}
	}
	arena->current = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->current;
	size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	void *piece;

	assert(rounded >= size);
	if (!block || block->size - block->used < rounded)
		block = next_block(arena, rounded);
	piece = block->data + block->used;
	block->used += rounded;
	return piece;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
	void *copy = arena_alloc(arena, size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	char *text;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	assert(length >= 0);
	text = arena_alloc(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}
