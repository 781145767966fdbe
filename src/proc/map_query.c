// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/map_query.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>

/** struct procmap_query of linux/fs.h, Linux 6.11. */
struct query {
	uint64_t size, flags, address;
	uint64_t start, end, vma_flags, page_size, offset, inode;
	uint32_t major, minor, name_size, build_id_size;
	uint64_t name, build_id;
};

_Static_assert(sizeof(struct query) == 104, "layout of the kernel");

#define PROCMAP_QUERY _IOWR('f', 17, struct query)

int map_query_open(int tid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/maps", tid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool map_query(
	int maps, taddr address, unsigned flags, char *name, size_t size, struct map_answer *ret)
{
	struct query query = {
		.size = sizeof(query),
		.flags = flags,
		.address = address,
		.name_size = (uint32_t)size,
		.name = (uint64_t)(uintptr_t)name,
	};

	if (ioctl(maps, PROCMAP_QUERY, &query) != 0)
		return false;
	if (size && !query.name_size)
		name[0] = '\0';
	*ret = (struct map_answer){
		query.start, query.end, query.offset, query.inode, query.major, query.minor};
	return true;
}
