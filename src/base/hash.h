// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_HASH_H
#define SRC_BASE_HASH_H

/**
 * Hash map from 64-bit keys to pointers (open addressing, linear probing).
 * It owns neither; values are not NULL. Longer keys: use hash_bytes() as the
 * key and compare the full key in the value.
 */

#include <stddef.h>
#include <stdint.h>

struct hash_entry {
	uint64_t key;
	void *value;
};

/** Zero-initialised is empty and valid. */
struct hash {
	struct hash_entry *entries;
	size_t capacity;
	size_t count;
};

/** Frees the table, not the values. */
void hash_deinit(struct hash *hash);
/** The value of @key, or NULL. */
void *hash_get(const struct hash *hash, uint64_t key);
/** Sets @key to @value (not NULL); returns the value it replaced, or NULL. */
void *hash_set(struct hash *hash, uint64_t key, void *value);
/** Removes @key; returns its value, or NULL. */
void *hash_remove(struct hash *hash, uint64_t key);
/** The first entry at or after index *@position, which moves past it; NULL at the end. */
struct hash_entry *hash_next(const struct hash *hash, size_t *position);

/** A well-mixed 64-bit hash of @length bytes. Not stable across versions. */
uint64_t hash_bytes(const void *data, size_t length);
/** A well-mixed 64-bit hash of an integer. */
uint64_t hash_u64(uint64_t value);

#endif
