// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

CASE(empty_map)
{
	struct hash hash = {0};
	size_t position = 0;

	assert_null(hash_get(&hash, 0));
	assert_null(hash_remove(&hash, 0));
	assert_null(hash_next(&hash, &position));
	hash_deinit(&hash);
}

CASE(zero_and_the_largest_key_are_keys)
{
	struct hash hash = {0};
	int a, b;

	assert_null(hash_set(&hash, 0, &a));
	assert_null(hash_set(&hash, UINT64_MAX, &b));
	assert_ptr_equal(hash_get(&hash, 0), &a);
	assert_ptr_equal(hash_get(&hash, UINT64_MAX), &b);
	assert_null(hash_get(&hash, 1));
	hash_deinit(&hash);
}

CASE(setting_again_returns_the_old_value)
{
	struct hash hash = {0};
	int a, b;

	hash_set(&hash, 7, &a);
	assert_ptr_equal(hash_set(&hash, 7, &b), &a);
	assert_ptr_equal(hash_get(&hash, 7), &b);
	assert_int_equal(hash.count, 1);
	hash_deinit(&hash);
}

// Every answer is compared with a plain array that cannot be wrong; keys are few, so that
// runs of colliding entries form and holes are closed in all positions.
CASE(agrees_with_an_array_through_random_changes)
{
	static int objects[64];
	void *expected[64] = {0};
	struct hash hash = {0};
	size_t count = 0;
	uint32_t random = 1;

	for (int round = 0; round < 20000; round++) {
		size_t key;

		random = random * 1664525 + 1013904223;
		key = random >> 26;
		if (random >> 8 & 1) {
			assert_ptr_equal(hash_set(&hash, key << 32, &objects[key]), expected[key]);
			count += !expected[key];
			expected[key] = &objects[key];
		} else {
			assert_ptr_equal(hash_remove(&hash, key << 32), expected[key]);
			count -= expected[key] != NULL;
			expected[key] = NULL;
		}
		assert_int_equal(hash.count, count);
		for (size_t i = 0; i < 64; i++)
			assert_ptr_equal(hash_get(&hash, i << 32), expected[i]);
	}
	hash_deinit(&hash);
}

CASE(walk_visits_every_entry_once)
{
	static bool seen[5000];
	struct hash hash = {0};
	struct hash_entry *entry;
	size_t position = 0;
	size_t count = 0;

	for (uint64_t key = 0; key < 5000; key++)
		hash_set(&hash, key * 4096, &seen[key]);
	while ((entry = hash_next(&hash, &position))) {
		assert_ptr_equal(entry->value, &seen[entry->key / 4096]);
		assert_false(seen[entry->key / 4096]);
		seen[entry->key / 4096] = true;
		count++;
	}
	assert_int_equal(count, 5000);
	hash_deinit(&hash);
}

CASE(bytes_hash_every_byte_and_the_length)
{
	char text[33];
	uint64_t first;

	memset(text, 'a', sizeof(text));
	for (size_t length = 1; length <= sizeof(text); length++) {
		first = hash_bytes(text, length);
		assert_int_equal(hash_bytes(text, length), first);
		assert_int_not_equal(hash_bytes(text, length - 1), first);
		for (size_t i = 0; i < length; i++) {
			text[i] ^= 1;
			assert_int_not_equal(hash_bytes(text, length), first);
			text[i] ^= 1;
		}
	}
	// A zero byte at the end is not the same as no byte.
	assert_int_not_equal(hash_bytes("a\0", 2), hash_bytes("a", 1));
}

RUN_CASES(ADD(empty_map), ADD(zero_and_the_largest_key_are_keys),
	ADD(setting_again_returns_the_old_value), ADD(agrees_with_an_array_through_random_changes),
	ADD(walk_visits_every_entry_once), ADD(bytes_hash_every_byte_and_the_length));
