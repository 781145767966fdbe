// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/rule_store.h"

#include <string.h>

#include "unwind/frame/expression.h"
#include "unwind/frame/rule.h"

struct stored {
	struct stored *next;
	size_t size;
	_Alignas(16) unsigned char data[];
};

void rule_store_deinit(struct rule_store *store)
{
	hash_deinit(&store->by_content);
	arena_deinit(&store->arena);
}

static const void *intern(struct rule_store *store, const void *data, size_t size)
{
	uint64_t key = hash_bytes(data, size);
	struct stored *first = hash_get(&store->by_content, key), *stored;

	for (stored = first; stored; stored = stored->next) {
		if (stored->size == size && !memcmp(stored->data, data, size))
			return stored->data;
	}
	stored = arena_alloc(&store->arena, sizeof(*stored) + size);
	stored->next = first;
	stored->size = size;
	memcpy(stored->data, data, size);
	hash_set(&store->by_content, key, stored);
	return stored->data;
}

const struct rule *rule_store_rule(struct rule_store *store, const struct rule *rule)
{
	return intern(store, rule, sizeof(*rule) + rule->count * sizeof(rule->registers[0]));
}

const struct expression *rule_store_expression(
	struct rule_store *store, const struct expression *expression)
{
	return intern(store, expression,
		sizeof(*expression) + expression->count * sizeof(expression->ops[0]));
}
