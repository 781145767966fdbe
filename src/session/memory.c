// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/abi.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/bits.h"
#include "schema/syscall.h"
#include "trace/stop.h"
#include "unwind/unwind.h"

struct session_memory *session_memory_create(void)
{
	struct session_memory *memory = xcalloc(1, sizeof(*memory));

	memory->references = 1;
	memory->maps_fd = -1;
	memory->maps.recorded = &memory->recorded;
	return memory;
}

struct session_memory *session_memory_fork(const struct session_memory *memory)
{
	struct session_memory *fork = session_memory_create();

	if (memory->space)
		fork->space = unwind_space_fork(memory->space);
	recorded_maps_copy(&fork->recorded, &memory->recorded);
	return fork;
}

struct session_memory *session_memory_ref(struct session_memory *memory)
{
	memory->references++;
	return memory;
}

void session_memory_unref(struct session_memory *memory)
{
	if (!memory || --memory->references)
		return;
	unwind_space_destroy(memory->space);
	process_maps_deinit(&memory->maps);
	recorded_maps_deinit(&memory->recorded);
	if (memory->maps_fd >= 0)
		close(memory->maps_fd);
	free(memory);
}

enum {
	NONE = -1,
	/** In place of an argument's number: the range starts at the result. */
	RESULT = -2,
};

/** Calls that say what they change. Others may have changed anything. */
static const struct change {
	const char *name;
	/** Arguments: start, length and protection of the range. */
	int start, length, protection;
} changes[] = {
	{"mmap", RESULT, 1, 2},
	{"mmap2", RESULT, 1, 2},
	{"munmap", 0, 1, NONE},
	{"mprotect", 0, 1, 2},
	{"pkey_mprotect", 0, 1, 2},
	{"mremap", 0, 1, NONE},
	{"mremap", RESULT, 2, NONE},
};

static const struct change *find_change(const struct syscall *syscall, const struct change *after)
{
	const struct change *change = after ? after + 1 : changes;

	for (; change < changes + ARRAY_SIZE(changes); change++) {
		if (strcmp(change->name, syscall->name) == 0)
			return change;
	}
	return NULL;
}

static void apply(struct unwind_space *space, const struct change *change, const uint64_t *args,
	const struct stop_syscall *exit)
{
	unsigned word = abi_get(exit->abi)->word_size;
	uint64_t start = change->start == RESULT ? (uint64_t)exit->retval : args[change->start];

	unwind_space_range_changed(
		space, zero_extend(start, word), zero_extend(args[change->length], word));
	if (change->protection != NONE && (args[change->protection] & PROT_EXEC))
		unwind_space_code_added(space);
}

void session_memory_mapped(
	struct session_memory *memory, const struct record_map *map, const char *name)
{
	recorded_maps_add(&memory->recorded, map, name);
	process_maps_changed(&memory->maps);
	if (memory->space)
		unwind_space_maps_changed(memory->space);
}

void session_memory_changed(struct session_memory *memory, const struct syscall *syscall,
	const uint64_t *args, const struct stop_syscall *exit)
{
	const struct change *change = NULL;

	process_maps_changed(&memory->maps);
	if (!memory->space)
		return;
	// The first mmap of i386 has its arguments in memory.
	if (syscall && !(exit->abi == ABI_I386 && strcmp(syscall->name, "mmap") == 0))
		change = find_change(syscall, NULL);
	if (!change)
		unwind_space_maps_changed(memory->space);
	for (; change; change = find_change(syscall, change))
		apply(memory->space, change, args, exit);
}
