// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/schedstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/parse.h"

void schedstat_pool_deinit(struct schedstat_pool *pool)
{
	for (unsigned i = 0; i < SCHEDSTAT_KEPT; i++) {
		if (pool->kept[i].tid)
			close(pool->kept[i].file);
	}
	*pool = (struct schedstat_pool){0};
}

// -1 if it cannot be opened.
static int file_of(struct schedstat_pool *pool, int tid)
{
	unsigned slot = (unsigned)tid % SCHEDSTAT_KEPT;
	char path[32];
	int file;

	if (pool->kept[slot].tid == tid)
		return pool->kept[slot].file;
	if (pool->kept[slot].tid)
		close(pool->kept[slot].file);
	snprintf(path, sizeof(path), "/proc/%d/schedstat", tid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	pool->kept[slot].tid = file < 0 ? 0 : tid;
	pool->kept[slot].file = file;
	return file;
}

static bool parse(const char *text, struct schedstat *ret)
{
	return parse_decimal_at(&text, &ret->ran) && *text++ == ' ' &&
	       parse_decimal_at(&text, &ret->waited) && *text++ == ' ' &&
	       parse_decimal_at(&text, &ret->runs);
}

bool schedstat_read(struct schedstat_pool *pool, int tid, struct schedstat *ret)
{
	// The file of a task that is gone does not become that of the next one with its tid.
	for (unsigned attempt = 0; attempt < 2; attempt++) {
		char text[128];
		int file = file_of(pool, tid);
		ssize_t length;

		if (file < 0)
			return false;
		length = pread(file, text, sizeof(text) - 1, 0);
		if (length > 0) {
			text[length] = '\0';
			return parse(text, ret);
		}
		close(file);
		pool->kept[(unsigned)tid % SCHEDSTAT_KEPT].tid = 0;
	}
	return false;
}
