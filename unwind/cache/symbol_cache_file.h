// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_CACHE_SYMBOL_CACHE_FILE_H
#define UNWIND_CACHE_SYMBOL_CACHE_FILE_H

/**
 * Descriptions of one module's addresses as bytes, to be kept from run to run. With
 * them stands what they were made from: if any of that is another file now, they do not
 * count. Damage is found by a checksum; a version of its own format is all it reads.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/buf.h"
#include "unwind/unwind.h"

struct arena;
struct string_pool;

enum {
	/** Descriptions in one file. */
	SYMBOL_CACHE_FILE_MAX = 32768,
};

/**
 * A file, as far as one may notice that it is another one; zero: there is none. Build-id, size
 * and time of modification are whatever its writer chose: whoever makes a file with those of a
 * good one must not get his names into what is said of that.
 */
struct file_stamp {
	uint64_t size;
	int64_t seconds;
	uint64_t nanoseconds;
	/** When the inode changed, which nobody can choose. */
	int64_t change_seconds;
	uint64_t change_nanoseconds;
	uint64_t device, inode;
	/** User id. */
	uint64_t owner;
};

/** What the descriptions were made from. */
struct description_sources {
	const uint8_t *build_id;
	size_t build_id_size;
	struct file_stamp module, debug;
	/** The file shared by debug files where it was needed; @alt_path is NULL else. */
	struct file_stamp alt;
	const char *alt_path;
};

struct described {
	enum frame_address address;
	uint64_t lookup;
	const struct unwind_description *description;
};

struct described_list {
	ARRAY(struct described) list;
};

/** Appends the file's contents to @buf. */
void symbol_cache_file_write(struct buf *buf, const struct description_sources *sources,
	const struct described_list *list);
/**
 * Reads @size bytes; descriptions and strings, also those in @sources_ret, are put into
 * @arena and @strings. False, and nothing in @list_ret, if they are no such file or damaged.
 */
bool symbol_cache_file_read(struct arena *arena, struct string_pool *strings, const uint8_t *data,
	size_t size, struct description_sources *sources_ret, struct described_list *list_ret);

#endif
