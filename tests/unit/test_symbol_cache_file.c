// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "unwind/cache/string_pool.h"
#include "unwind/cache/symbol_cache_file.h"

static const uint8_t build_id[] = {1, 2, 3, 4, 5};

/** A file about two addresses. */
static struct buf sample(void)
{
	static const struct unwind_location locations[] = {
		{.function = "inner", .file = "a.c", .line = 12, .column = 3, .is_inlined = true},
		{.function = "outer()", .linkage_name = "_Z5outerv", .file = "a.c", .line = 40},
	};
	static const struct unwind_location nothing = {0};
	static const struct unwind_description first = {
		.locations = locations, .count = 2, .symbol_offset = 0x123456789a};
	static const struct unwind_description second = {.locations = &nothing,
		.count = 1,
		.no_function = UNWIND_REASON_NO_SYMBOL,
		.no_line = UNWIND_REASON_NO_LINE};
	struct description_sources sources = {.build_id = build_id,
		.build_id_size = sizeof(build_id),
		.module = {1, 2, 3},
		.debug = {4, -5, 6},
		.alt = {7, 8, 9},
		.alt_path = "/shared.debug"};
	struct described_list list = {0};
	struct buf buf = {0};

	*array_add(&list.list) = (struct described){FRAME_ADDRESS_RETURN, 0x1000, &first};
	*array_add(&list.list) = (struct described){FRAME_ADDRESS_SYSCALL, 0x2000, &second};
	symbol_cache_file_write(&buf, &sources, &list);
	array_deinit(&list.list);
	return buf;
}

/** Reads from memory of the exact size, so that reading on is noticed. */
static bool read_copy(struct string_pool *pool, const char *data, size_t size,
	struct description_sources *sources, struct described_list *list)
{
	uint8_t *copy = xmalloc(size ? size : 1);
	bool is_read;

	memcpy(copy, data, size);
	is_read = symbol_cache_file_read(&pool->arena, pool, copy, size, sources, list);
	if (is_read) {
		assert_memory_equal(sources->build_id, build_id, sizeof(build_id));
		sources->build_id = NULL;
	}
	free(copy);
	return is_read;
}

CASE(what_was_written_is_read)
{
	struct string_pool pool = {0};
	const struct unwind_description *description;
	struct description_sources sources;
	struct described_list list;
	struct buf buf = sample();

	assert_true(read_copy(&pool, buf.data, buf.length, &sources, &list));
	assert_int_equal(sources.build_id_size, sizeof(build_id));
	assert_int_equal(sources.module.size, 1);
	assert_int_equal(sources.module.nanoseconds, 3);
	assert_int_equal(sources.debug.seconds, -5);
	assert_int_equal(sources.alt.size, 7);
	assert_string_equal(sources.alt_path, "/shared.debug");
	assert_int_equal(list.list.count, 2);
	assert_int_equal(list.list.data[0].address, FRAME_ADDRESS_RETURN);
	assert_int_equal(list.list.data[0].lookup, 0x1000);
	description = list.list.data[0].description;
	assert_int_equal(description->count, 2);
	assert_true(description->is_final);
	assert_int_equal(description->symbol_offset, 0x123456789a);
	assert_string_equal(description->locations[0].function, "inner");
	assert_null(description->locations[0].linkage_name);
	assert_string_equal(description->locations[0].file, "a.c");
	assert_int_equal(description->locations[0].line, 12);
	assert_int_equal(description->locations[0].column, 3);
	assert_true(description->locations[0].is_inlined);
	assert_string_equal(description->locations[1].linkage_name, "_Z5outerv");
	assert_false(description->locations[1].is_inlined);
	description = list.list.data[1].description;
	assert_int_equal(description->no_function, UNWIND_REASON_NO_SYMBOL);
	assert_int_equal(description->no_line, UNWIND_REASON_NO_LINE);
	assert_null(description->locations[0].function);
	array_deinit(&list.list);
	buf_deinit(&buf);
	string_pool_deinit(&pool);
}

CASE(every_damage_is_noticed)
{
	struct string_pool pool = {0};
	struct description_sources sources;
	struct described_list list;
	struct buf buf = sample();

	for (size_t size = 0; size < buf.length; size++)
		assert_false(read_copy(&pool, buf.data, size, &sources, &list));
	for (size_t bit = 0; bit < 8 * buf.length; bit++) {
		buf.data[bit / 8] ^= (char)(1 << bit % 8);
		assert_false(read_copy(&pool, buf.data, buf.length, &sources, &list));
		buf.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	buf_char(&buf, '\0');
	assert_false(read_copy(&pool, buf.data, buf.length, &sources, &list));
	buf_deinit(&buf);
	string_pool_deinit(&pool);
}

/** As if somebody who knows the format had written them: only the checksum is right. */
CASE(nonsense_with_a_right_checksum_does_no_harm)
{
	enum { HEAD = 16 };
	struct buf buf = sample();
	uint64_t random = 1;

	for (int round = 0; round < 20000; round++) {
		struct string_pool pool = {0};
		struct description_sources sources;
		struct described_list list;
		struct buf copy = {0};
		size_t at;

		buf_bytes(&copy, buf.data, buf.length);
		for (int i = 0; i < 1 + round % 3; i++) {
			random = hash_u64(random + UINT64_C(0x9e3779b97f4a7c15));
			// The build-id is compared by read_copy().
			at = HEAD + 9 + random % (copy.length - HEAD - 9);
			copy.data[at] = (char)(random >> 32);
		}
		random = hash_bytes(copy.data + HEAD, copy.length - HEAD);
		memcpy(copy.data + HEAD - sizeof(random), &random, sizeof(random));
		if (read_copy(&pool, copy.data, copy.length, &sources, &list)) {
			array_for_each (described, &list.list) {
				assert_in_range(described->address, 0, FRAME_ADDRESS_RETURN);
				assert_true(described->description->count > 0);
			}
			array_deinit(&list.list);
		}
		string_pool_deinit(&pool);
		buf_deinit(&copy);
	}
	buf_deinit(&buf);
}

RUN_CASES(ADD(what_was_written_is_read), ADD(every_damage_is_noticed),
	ADD(nonsense_with_a_right_checksum_does_no_harm));
