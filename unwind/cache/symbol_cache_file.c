// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/cache/symbol_cache_file.h"

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "unwind/cache/string_pool.h"
#include "unwind/elf/elf_headers.h"

/** The last digit counts versions of the format, and of how names are chosen. */
static const char magic[8] = "tracer\n3";

enum {
	LOCATIONS_MAX = 4096,
	/** Of magic and checksum. */
	HEAD_SIZE = 16,
};

/** Numbers are in our own byte order: the file stays on this machine. */
struct writer {
	struct buf *buf;
	/** From interned strings to their number. */
	struct hash numbers;
	ARRAY(const char *) strings;
};

static void put32(struct buf *buf, uint32_t value)
{
	buf_bytes(buf, &value, sizeof(value));
}

static void put64(struct buf *buf, uint64_t value)
{
	buf_bytes(buf, &value, sizeof(value));
}

static void put_text(struct buf *buf, const char *text)
{
	size_t length = strlen(text);

	put32(buf, (uint32_t)length);
	buf_bytes(buf, text, length + 1);
}

static void put_stamp(struct buf *buf, const struct file_stamp *stamp)
{
	put64(buf, stamp->size);
	put64(buf, (uint64_t)stamp->seconds);
	put64(buf, stamp->nanoseconds);
	put64(buf, (uint64_t)stamp->change_seconds);
	put64(buf, stamp->change_nanoseconds);
	put64(buf, stamp->device);
	put64(buf, stamp->inode);
	put64(buf, stamp->owner);
}

/** Equal strings of a context are the same string. */
static uint32_t number_of(struct writer *writer, const char *text)
{
	uint64_t key = (uintptr_t)text;
	uintptr_t number;

	if (!text)
		return 0;
	number = (uintptr_t)hash_get(&writer->numbers, key);
	if (!number) {
		*array_add(&writer->strings) = text;
		number = writer->strings.count;
		hash_set(&writer->numbers, key, (void *)number);
	}
	return (uint32_t)number;
}

static void put_description(
	struct writer *writer, struct buf *buf, const struct described *described)
{
	const struct unwind_description *description = described->description;

	put32(buf, described->address);
	put64(buf, described->lookup);
	put64(buf, description->symbol_offset);
	put32(buf, description->no_function);
	put32(buf, description->no_line);
	put32(buf, (uint32_t)description->count);
	for (size_t i = 0; i < description->count; i++) {
		const struct unwind_location *location = &description->locations[i];

		put32(buf, number_of(writer, location->function));
		put32(buf, number_of(writer, location->linkage_name));
		put32(buf, number_of(writer, location->file));
		put32(buf, location->line);
		put32(buf, location->column);
		put32(buf, location->is_inlined);
	}
}

void symbol_cache_file_write(struct buf *buf, const struct description_sources *sources,
	const struct described_list *list)
{
	struct writer writer = {.buf = buf};
	struct buf body = {0};
	size_t start = buf->length;
	uint64_t checksum;

	buf_bytes(buf, magic, sizeof(magic));
	put64(buf, 0);
	put32(buf, (uint32_t)sources->build_id_size);
	buf_bytes(buf, sources->build_id, sources->build_id_size);
	put_stamp(buf, &sources->module);
	put_stamp(buf, &sources->debug);
	put_stamp(buf, &sources->alt);
	put_text(buf, sources->alt_path ? sources->alt_path : "");
	array_for_each (described, &list->list)
		put_description(&writer, &body, described);
	put32(buf, (uint32_t)writer.strings.count);
	array_for_each (text, &writer.strings)
		put_text(buf, *text);
	put32(buf, (uint32_t)list->list.count);
	buf_bytes(buf, body.data, body.length);
	checksum = hash_bytes(buf->data + start + HEAD_SIZE, buf->length - start - HEAD_SIZE);
	memcpy(buf->data + start + sizeof(magic), &checksum, sizeof(checksum));
	buf_deinit(&body);
	hash_deinit(&writer.numbers);
	array_deinit(&writer.strings);
}

struct reader {
	struct arena *arena;
	struct string_pool *pool;
	const uint8_t *at;
	size_t left;
	/** It ended too early or makes no sense; all numbers read since are 0. */
	bool failed;
	/** By number, [0] is NULL. */
	ARRAY(const char *) strings;
};

static const uint8_t *get(struct reader *reader, size_t size)
{
	const uint8_t *at = reader->at;

	if (reader->failed || size > reader->left) {
		reader->failed = true;
		return NULL;
	}
	reader->at += size;
	reader->left -= size;
	return at;
}

static uint32_t get32(struct reader *reader)
{
	const uint8_t *at = get(reader, sizeof(uint32_t));
	uint32_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t get64(struct reader *reader)
{
	const uint8_t *at = get(reader, sizeof(uint64_t));
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static const char *get_text(struct reader *reader)
{
	uint32_t length = get32(reader);
	const char *at = (const char *)get(reader, (size_t)length + 1);

	if (!at || memchr(at, '\0', (size_t)length + 1) != at + length) {
		reader->failed = true;
		return "";
	}
	return string_pool_add(reader->pool, at);
}

static struct file_stamp get_stamp(struct reader *reader)
{
	struct file_stamp stamp = {.size = get64(reader)};

	stamp.seconds = (int64_t)get64(reader);
	stamp.nanoseconds = get64(reader);
	stamp.change_seconds = (int64_t)get64(reader);
	stamp.change_nanoseconds = get64(reader);
	stamp.device = get64(reader);
	stamp.inode = get64(reader);
	stamp.owner = get64(reader);
	return stamp;
}

static void get_strings(struct reader *reader)
{
	uint32_t count = get32(reader);

	*array_add(&reader->strings) = NULL;
	for (uint32_t i = 0; i < count && !reader->failed; i++)
		*array_add(&reader->strings) = get_text(reader);
}

static const char *get_string(struct reader *reader)
{
	uint32_t number = get32(reader);

	if (number < reader->strings.count)
		return reader->strings.data[number];
	reader->failed = true;
	return NULL;
}

static enum unwind_reason get_reason(struct reader *reader)
{
	uint32_t reason = get32(reader);

	if (reason > UNWIND_REASON_NO_LINE)
		reader->failed = true;
	return reader->failed ? UNWIND_REASON_NONE : (enum unwind_reason)reason;
}

static struct unwind_location get_location(struct reader *reader)
{
	struct unwind_location location = {.function = get_string(reader)};

	location.linkage_name = get_string(reader);
	location.file = get_string(reader);
	location.line = get32(reader);
	location.column = get32(reader);
	location.is_inlined = get32(reader);
	return location;
}

static struct described get_description(struct reader *reader)
{
	struct arena *arena = reader->arena;
	struct unwind_description *description = arena_zalloc(arena, sizeof(*description));
	struct unwind_location *locations;
	struct described described = {.description = description};
	uint32_t address = get32(reader), count;

	described.address = (enum frame_address)address;
	described.lookup = get64(reader);
	description->symbol_offset = get64(reader);
	description->no_function = get_reason(reader);
	description->no_line = get_reason(reader);
	count = get32(reader);
	if (address > FRAME_ADDRESS_RETURN || !count || count > LOCATIONS_MAX)
		reader->failed = true;
	if (reader->failed)
		return described;
	locations = arena_zalloc(arena, count * sizeof(*locations));
	for (uint32_t i = 0; i < count; i++)
		locations[i] = get_location(reader);
	description->locations = locations;
	description->count = count;
	description->is_final = true;
	return described;
}

static void get_all(
	struct reader *reader, struct description_sources *sources, struct described_list *list)
{
	uint32_t count;

	sources->build_id_size = get32(reader);
	sources->build_id = get(reader, sources->build_id_size);
	sources->module = get_stamp(reader);
	sources->debug = get_stamp(reader);
	sources->alt = get_stamp(reader);
	sources->alt_path = get_text(reader);
	if (!sources->alt_path[0])
		sources->alt_path = NULL;
	get_strings(reader);
	count = get32(reader);
	if (count > SYMBOL_CACHE_FILE_MAX)
		reader->failed = true;
	for (uint32_t i = 0; i < count && !reader->failed; i++)
		*array_add(&list->list) = get_description(reader);
}

bool symbol_cache_file_read(struct arena *arena, struct string_pool *strings, const uint8_t *data,
	size_t size, struct description_sources *sources_ret, struct described_list *list_ret)
{
	struct reader reader = {.arena = arena, .pool = strings, .at = data, .left = size};
	struct description_sources sources = {0};
	struct described_list list = {0};
	uint64_t checksum;

	if (size < HEAD_SIZE || memcmp(get(&reader, sizeof(magic)), magic, sizeof(magic)))
		return false;
	checksum = get64(&reader);
	if (hash_bytes(reader.at, reader.left) != checksum)
		return false;
	get_all(&reader, &sources, &list);
	array_deinit(&reader.strings);
	if (reader.failed || reader.left) {
		array_deinit(&list.list);
		return false;
	}
	*sources_ret = sources;
	*list_ret = list;
	return true;
}
