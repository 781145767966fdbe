// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/stack_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/** How far behind a piece an address may be to count as its continuation. */
enum { NEAR = 64 * 1024 };

void stack_memory_deinit(struct stack_memory *memory)
{
	for (unsigned i = 0; i < STACK_MEMORY_PIECES; i++)
		free(memory->pieces[i].data);
	*memory = (struct stack_memory){0};
}

static struct stack_piece *load(struct stack_memory *memory, taddr start, size_t size)
{
	struct stack_piece *piece = &memory->pieces[memory->next];

	memory->next = (memory->next + 1) % STACK_MEMORY_PIECES;
	memory->reads++;
	if (piece->capacity < size) {
		free(piece->data);
		piece->data = xmalloc(size);
		piece->capacity = size;
	}
	piece->start = start;
	piece->size = memory->source->ops->read(memory->source->context, start, piece->data, size);
	return piece;
}

void stack_memory_begin(
	struct stack_memory *memory, const struct unwind_source *source, taddr sp, size_t size)
{
	if (size > STACK_MEMORY_MAX)
		size = STACK_MEMORY_MAX;
	for (unsigned i = 0; i < STACK_MEMORY_PIECES; i++)
		memory->pieces[i].size = 0;
	memory->source = source;
	memory->next = 0;
	memory->reads = 0;
	memory->used = 0;
	memory->base = sp & ~(taddr)7;
	load(memory, memory->base, size);
}

static bool holds(const struct stack_piece *piece, taddr address, size_t size)
{
	taddr distance = address - piece->start;

	return distance < piece->size && piece->size - distance >= size;
}

static const struct stack_piece *find(struct stack_memory *memory, taddr address, size_t size)
{
	size_t length = STACK_MEMORY_DEFAULT / 2;
	taddr start = address & ~(taddr)7;

	for (unsigned i = 0; i < STACK_MEMORY_PIECES; i++) {
		if (holds(&memory->pieces[i], address, size))
			return &memory->pieces[i];
	}
	if (memory->reads == STACK_MEMORY_READS)
		return NULL;
	// A walk that goes on and on up the same stack gets bigger and bigger pieces.
	for (unsigned i = 0; i < STACK_MEMORY_PIECES; i++) {
		const struct stack_piece *piece = &memory->pieces[i];

		if (piece->size && address - piece->start < piece->size + NEAR &&
			2 * piece->size > length)
			length = 2 * piece->size;
	}
	if (length > STACK_MEMORY_MAX)
		length = STACK_MEMORY_MAX;
	const struct stack_piece *piece = load(memory, start, length);

	return holds(piece, address, size) ? piece : NULL;
}

bool stack_memory_read(struct stack_memory *memory, taddr address, size_t size, uint64_t *ret)
{
	const struct stack_piece *piece = find(memory, address, size);
	uint64_t value = 0;

	if (!piece)
		return false;
	memcpy(&value, piece->data + (address - piece->start), size);
	if (address >= memory->base && address - memory->base < STACK_MEMORY_MAX &&
		address - memory->base + size > memory->used)
		memory->used = address - memory->base + size;
	*ret = value;
	return true;
}
