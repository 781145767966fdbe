// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint64_t hash_u64(uint64_t value)
{
	// The finalizer of splitmix64 (public domain): full avalanche in 5 steps.
	value ^= value >> 30;
	value *= UINT64_C(0xbf58476d1ce4e5b9);
	value ^= value >> 27;
	value *= UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

uint64_t hash_bytes(const void *data, size_t length)
{
	const unsigned char *bytes = data;
	uint64_t hash = hash_u64(length + UINT64_C(0x9e3779b97f4a7c15));

	for (; length >= 8; bytes += 8, length -= 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		hash = hash_u64(hash ^ word);
	}
	if (length) {
		uint64_t word = 0;

		memcpy(&word, bytes, length);
		hash = hash_u64(hash ^ word);
	}
	return hash;
}

static size_t slot_of(const struct hash *hash, uint64_t key)
{
	size_t slot = hash_u64(key) & (hash->capacity - 1);

	while (hash->entries[slot].value && hash->entries[slot].key != key)
		slot = (slot + 1) & (hash->capacity - 1);
	return slot;
}

void hash_deinit(struct hash *hash)
{
	free(hash->entries);
	*hash = (struct hash){0};
}

void *hash_get(const struct hash *hash, uint64_t key)
{
	return hash->capacity ? hash->entries[slot_of(hash, key)].value : NULL;
}

static void grow(struct hash *hash)
{
	struct hash old = *hash;

	hash->capacity = old.capacity ? 2 * old.capacity : 16;
	hash->entries = xcalloc(hash->capacity, sizeof(*hash->entries));
	for (size_t i = 0; i < old.capacity; i++) {
		if (old.entries[i].value)
			hash->entries[slot_of(hash, old.entries[i].key)] = old.entries[i];
	}
	free(old.entries);
}

void *hash_set(struct hash *hash, uint64_t key, void *value)
{
	struct hash_entry *entry;
	void *old;

	assert(value);
	if (4 * (hash->count + 1) > 3 * hash->capacity)
		grow(hash);
	entry = &hash->entries[slot_of(hash, key)];
	old = entry->value;
	hash->count += !old;
	*entry = (struct hash_entry){.key = key, .value = value};
	return old;
}

void *hash_remove(struct hash *hash, uint64_t key)
{
	size_t hole, slot;
	void *old;

	if (!hash->capacity)
		return NULL;
	hole = slot_of(hash, key);
	old = hash->entries[hole].value;
	if (!old)
		return NULL;
	// Close the hole: move back every later entry of the run that may stand in it.
	for (slot = (hole + 1) & (hash->capacity - 1); hash->entries[slot].value;
		slot = (slot + 1) & (hash->capacity - 1)) {
		size_t home = hash_u64(hash->entries[slot].key) & (hash->capacity - 1);

		if (((slot - home) & (hash->capacity - 1)) >=
			((slot - hole) & (hash->capacity - 1))) {
			hash->entries[hole] = hash->entries[slot];
			hole = slot;
		}
	}
	hash->entries[hole] = (struct hash_entry){0};
	hash->count--;
	return old;
}

struct hash_entry *hash_next(const struct hash *hash, size_t *position)
{
	while (*position < hash->capacity) {
		struct hash_entry *entry = &hash->entries[(*position)++];

		if (entry->value)
			return entry;
	}
	return NULL;
}
