// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/cache/string_pool.h"

#include <string.h>

struct interned {
	struct interned *next;
	char text[];
};

void string_pool_deinit(struct string_pool *pool)
{
	hash_deinit(&pool->strings);
	arena_deinit(&pool->arena);
}

const char *string_pool_add(struct string_pool *pool, const char *text)
{
	size_t size = strlen(text) + 1;
	uint64_t key = hash_bytes(text, size);
	struct interned *first = hash_get(&pool->strings, key), *string;

	for (string = first; string; string = string->next) {
		if (!strcmp(string->text, text))
			return string->text;
	}
	string = arena_alloc(&pool->arena, sizeof(*string) + size);
	string->next = first;
	memcpy(string->text, text, size);
	hash_set(&pool->strings, key, string);
	return string->text;
}
