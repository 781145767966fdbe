// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/crc32.h"

#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"

enum {
	/** Of larger files a part must be written. */
	HOLE_MAX = 64 * 1024 * 1024,
	WRITTEN_PART = 32,
	/** Of st_blocks. */
	BLOCK = 512,
	PIECE = 256 * 1024,
	SLICES = 8,
};

/** Tables to take in eight bytes at a time: slices[n][b] is b followed by n zero bytes. */
struct tables {
	uint32_t slices[SLICES][256];
};

static void fill(struct tables *tables)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t value = byte;

		for (int bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? UINT32_C(0xedb88320) : 0);
		tables->slices[0][byte] = value;
	}
	for (int slice = 1; slice < SLICES; slice++) {
		for (int byte = 0; byte < 256; byte++) {
			uint32_t value = tables->slices[slice - 1][byte];

			tables->slices[slice][byte] = value >> 8 ^ tables->slices[0][value & 0xff];
		}
	}
}

static uint32_t update(
	const struct tables *tables, uint32_t crc, const unsigned char *data, size_t size)
{
	for (; size >= SLICES; data += SLICES, size -= SLICES) {
		uint32_t next = 0;

		for (int i = 0; i < SLICES; i++) {
			uint8_t byte = data[i];

			if (i < 4)
				byte ^= (uint8_t)(crc >> 8 * i);
			next ^= tables->slices[SLICES - 1 - i][byte];
		}
		crc = next;
	}
	for (; size; data++, size--)
		crc = crc >> 8 ^ tables->slices[0][(crc ^ *data) & 0xff];
	return crc;
}

static bool is_hole(int fd)
{
	struct stat stat;

	return !fstat(fd, &stat) && stat.st_size > HOLE_MAX &&
	       stat.st_blocks < stat.st_size / WRITTEN_PART / BLOCK;
}

bool crc32_file(int fd, uint32_t *ret)
{
	cleanup_free struct tables *tables = xmalloc(sizeof(*tables));
	cleanup_free unsigned char *data = xmalloc(PIECE);
	uint32_t crc = UINT32_MAX;
	off_t position = 0;

	if (is_hole(fd))
		return false;
	fill(tables);
	for (;;) {
		ssize_t got = pread(fd, data, PIECE, position);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (!got)
			break;
		crc = update(tables, crc, data, (size_t)got);
		position += got;
	}
	*ret = ~crc;
	return true;
}
