// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Walks stacks of processes that do not exist: maps, memory and registers are
// made up, half plausible, half noise: `fuzz_walk FILE ROUNDS [SEED]`. FILE is an
// ELF program whose bytes appear in that memory. It must end soon and
// not crash; each frame is described as well.

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "unwind/unwind.h"

enum {
	SECONDS_MOST = 20,
	WALKS = 20,
	BASE = 0x400000,
	/** Executable memory of no file, for which there is a perf map. */
	GENERATED = 0x10000000,
	GENERATED_SIZE = 0x10000,
};

struct world {
	uint64_t state;
	const char *path;
	const unsigned char *file;
	size_t size;
	/** One in this many bytes of the file is wrong in memory; 0: none. */
	uint64_t noise;
};

static uint64_t next(struct world *world)
{
	world->state += UINT64_C(0x9e3779b97f4a7c15);
	return hash_u64(world->state);
}

/** A word of the stack: often an address of the program or of the stack. */
static uint64_t stack_word(const struct world *world, taddr address)
{
	uint64_t word = hash_u64(address ^ world->state);

	switch (word % 4) {
	case 0:
		return word & 256 ? GENERATED + (word >> 9) % GENERATED_SIZE
				  : BASE + (word >> 9) % (world->size + 4096);
	case 1:
		return address + (word >> 8) % 256;
	case 2:
		return word >> 8 & 7 ? word >> (word >> 58) : 0;
	default:
		return word;
	}
}

static unsigned char byte_at(const struct world *world, taddr address)
{
	if (address - BASE < world->size) {
		uint64_t chance = hash_u64(address);

		if (world->noise && chance % world->noise == 0)
			return (unsigned char)(chance >> 32);
		return world->file[address - BASE];
	}
	return (unsigned char)(stack_word(world, address & ~(taddr)7) >> 8 * (address & 7));
}

static size_t world_read(void *context, taddr address, void *data, size_t size)
{
	const struct world *world = context;
	unsigned char *bytes = data;

	if (hash_u64(address >> 12 ^ world->state) % 16 == 0)
		return 0;
	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_at(world, address + i);
	return size;
}

static char *world_maps(void *context, size_t *length_ret)
{
	struct world *world = context;
	struct buf text = {0};

	buf_printf(&text, "%x-%" PRIx64 " r-xp 00000000 fe:00 7 %s\n", BASE,
		BASE + (world->size | 4095) + 1, world->path);
	buf_printf(&text, "%x-%x rwxp 00000000 00:00 0\n", GENERATED, GENERATED + GENERATED_SIZE);
	for (uint64_t i = next(world) % 20; i; i--) {
		uint64_t start = next(world) >> next(world) % 60;

		buf_printf(&text, "%" PRIx64 "-%" PRIx64 " r-xp %" PRIx64 " 00:00 %d %s\n", start,
			start + next(world) % 0x100000, next(world) % 3 ? 0 : next(world),
			(int)(next(world) % 3), next(world) % 2 ? "/nowhere" : "[vdso]");
	}
	for (uint64_t i = next(world) % 4; i; i--)
		text.data[next(world) % text.length] = (char)next(world);
	*length_ret = text.length;
	return text.data;
}

static bool world_open_file(
	void *context, const struct unwind_map *map, unsigned attempt, struct unwind_candidate *ret)
{
	const struct world *world = context;

	(void)map;
	if (attempt)
		return false;
	ret->tried = xstrdup(world->path);
	ret->fd = open(world->path, O_RDONLY | O_CLOEXEC);
	return true;
}

/** Lines about the generated code, some of them damaged. */
static int world_open_perf_map(void *context)
{
	struct world *world = context;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct buf text = {0};

	for (uint64_t i = next(world) % 200; i; i--)
		buf_printf(&text, "%" PRIx64 " %" PRIx64 " name %d\n",
			GENERATED + next(world) % GENERATED_SIZE, next(world) % 512, (int)i);
	for (uint64_t i = text.length ? next(world) % 20 : 0; i; i--)
		text.data[next(world) % text.length] = (char)next(world);
	if (write(fd, text.data, text.length) != (ssize_t)text.length)
		abort();
	buf_deinit(&text);
	return fd;
}

static const struct unwind_source_ops world_ops = {
	.read = world_read,
	.maps = world_maps,
	.open_file = world_open_file,
	.open_perf_map = world_open_perf_map,
};

static void walk_once(
	struct world *world, struct unwind_context *context, struct unwind_space *space)
{
	const struct unwind_source source = {&world_ops, world};
	struct frame_regs regs = {.arch = UNWIND_ARCH_X86_64, .known = UINT32_C(0x1ffff)};
	struct unwind_stack stack;
	struct arena arena = {0};

	for (unsigned i = 0; i < ARCH_REGISTERS_MAX; i++)
		regs.value[i] = stack_word(world, next(world));
	regs.pc = BASE + next(world) % world->size;
	regs.value[7] = UINT64_C(0x7fff00000000) + next(world) % 0x10000;
	if (next(world) % 2)
		regs.value[6] = regs.value[7] + next(world) % 4096 / 8 * 8;
	if (next(world) % 4 == 0)
		regs.arch = UNWIND_ARCH_I386;
	unwind_walk(space, &source, &regs, (enum frame_address)(next(world) % 3), &arena, &stack);
	for (size_t i = 0; i < stack.count; i++)
		unwind_describe(context, &stack.frames[i]);
	if (next(world) % 4 == 0)
		unwind_space_maps_changed(space);
	arena_deinit(&arena);
}

static void run(struct world *world)
{
	static const uint64_t noises[] = {0, 0, 1000, 50};
	const struct unwind_options options = {
		.frame_limit = 1 + next(world) % 64,
		.args = next(world) % 2,
		.engine = next(world) % 4   ? UNWIND_ENGINE_DWARF
			  : next(world) % 2 ? UNWIND_ENGINE_FRAME_POINTER
					    : UNWIND_ENGINE_LIBUNWIND,
	};
	struct unwind_context *context = unwind_context_create(&options);
	struct unwind_space *space = unwind_space_create(context, UNWIND_ARCH_X86_64);

	world->noise = noises[next(world) % ARRAY_SIZE(noises)];
	for (int i = 0; i < WALKS; i++) {
		struct unwind_space *fork = unwind_space_fork(space);

		walk_once(world, context, space);
		walk_once(world, context, fork);
		unwind_space_destroy(fork);
	}
	unwind_space_destroy(space);
	unwind_context_destroy(context);
}

static unsigned char *read_whole(const char *path, size_t *size_ret)
{
	cleanup_fclose FILE *file = fopen(path, "rb");
	struct buf data = {0};
	size_t got;

	while (file && (got = fread(buf_reserve(&data, 65536), 1, 65536, file)) > 0)
		data.length += got;
	*size_ret = data.length;
	return (unsigned char *)data.data;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
	struct world world = {.path = argv[1]};
	cleanup_free unsigned char *file = argc > 2 ? read_whole(argv[1], &world.size) : NULL;

	if (!world.size) {
		fprintf(stderr, "usage: fuzz_walk FILE ROUNDS [SEED]\n");
		return 2;
	}
	world.file = file;
	for (unsigned long i = 0; i < rounds; i++) {
		int status = -1;
		pid_t child;

		world.state = seed + i;
		child = fork();
		if (!child) {
			alarm(SECONDS_MOST);
			run(&world);
			_exit(0);
		}
		waitpid(child, &status, 0);
		if (status) {
			fprintf(stderr, "round with seed %lu ended with status 0x%x\n", seed + i,
				status);
			return 1;
		}
	}
	printf("%lu rounds\n", rounds);
	return 0;
}
