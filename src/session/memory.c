// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/abi.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "schema/lookup.h"
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

// An operand of an effect of the call that ended as @exit says.
static uint64_t operand(
	const int8_t registers[ABI_COUNT], const uint64_t *args, const struct stop_syscall *exit)
{
	int index = registers[exit->abi];
	uint64_t value = index == OPERAND_RESULT ? (uint64_t)exit->retval : args[index];

	return zero_extend(value, abi_get(exit->abi)->word_size);
}

static void apply(struct unwind_space *space, const struct syscall_effect *effect,
	const uint64_t *args, const struct stop_syscall *exit)
{
	enum { START, LENGTH, PROTECTION };

	unwind_space_range_changed(space, operand(effect->operands[START], args, exit),
		operand(effect->operands[LENGTH], args, exit));
	if (effect->operands[PROTECTION][exit->abi] != OPERAND_NONE &&
		operand(effect->operands[PROTECTION], args, exit) & PROT_EXEC)
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
	const struct syscall_effect *effect = syscall_effect(syscall, EFFECT_MAPS, NULL);

	process_maps_changed(&memory->maps);
	if (!memory->space)
		return;
	// Others may have changed anything.
	if (!effect)
		unwind_space_maps_changed(memory->space);
	for (; effect; effect = syscall_effect(syscall, EFFECT_MAPS, effect))
		apply(memory->space, effect, args, exit);
}
