// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/map_query.h"
#include "unit.h"

// One page of a file between two that are mapped to nothing.
CASE(a_page_of_a_file)
{
	char name[PATH_MAX], path[] = "/tmp/map_query-XXXXXX";
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = mkstemp(path), maps = map_query_open(getpid());
	struct map_answer map;
	char *at;

	assert_true(fd >= 0 && maps >= 0);
	if (!map_query(maps, 0, MAP_QUERY_NEXT, NULL, 0, &map) && errno == ENOTTY) {
		unlink(path);
		printf("the kernel has no PROCMAP_QUERY (Linux 6.11)\n");
		skip();
	}
	at = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mmap(at + page, page, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0);
	assert_true(map_query(maps, (taddr)(uintptr_t)at, MAP_QUERY_NEXT | MAP_QUERY_FILE, name,
		sizeof(name), &map));
	assert_int_equal(map.start, (uintptr_t)(at + page));
	assert_int_equal(map.end, (uintptr_t)(at + 2 * page));
	assert_string_equal(name, path);
	assert_true(map_query(maps, (taddr)(uintptr_t)at, 0, name, sizeof(name), &map));
	assert_string_equal(name, "");
	munmap(at, 3 * page);
	assert_false(map_query(maps, (taddr)(uintptr_t)at, 0, NULL, 0, &map));
	assert_int_equal(errno, ENOENT);
	unlink(path);
	close(fd);
	close(maps);
}

CASE(nobody)
{
	assert_int_equal(map_query_open(1 << 23), -1);
}

RUN_CASES(ADD(a_page_of_a_file), ADD(nobody));
