// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Damages an ELF file at random places and asks everything of it that a walk
// and a description ask: `fuzz_module FILE ROUNDS [SEED]`. It must neither crash
// nor hang; what it answers does not matter.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "unwind/describe/args.h"
#include "unwind/elf/elf_file.h"
#include "unwind/frame/arch_table.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/unwind.h"

enum {
	/** A round that takes longer is a hang. */
	SECONDS_MOST = 20,
	/** Addresses asked for in one round. */
	ADDRESSES = 40,
};

struct random {
	uint64_t state;
};

static uint64_t next(struct random *random)
{
	random->state += UINT64_C(0x9e3779b97f4a7c15);
	return hash_u64(random->state);
}

static unsigned char *read_whole(const char *path, size_t *size_ret)
{
	cleanup_fclose FILE *file = fopen(path, "rb");
	unsigned char *data;
	long size;

	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) <= 0)
		return NULL;
	rewind(file);
	data = xmalloc((size_t)size);
	if (fread(data, 1, (size_t)size, file) != (size_t)size) {
		free(data);
		return NULL;
	}
	*size_ret = (size_t)size;
	return data;
}

/** Bits, bytes, words at random places, or the end cut off. */
static size_t damage(unsigned char *data, size_t size, struct random *random)
{
	// Headers and section headers decide most, so they are hit more often.
	size_t count = 1 + next(random) % 20, range[] = {size, 1024, size, 4096};

	for (size_t i = 0; i < count; i++) {
		size_t window = range[next(random) % ARRAY_SIZE(range)];
		size_t at = next(random) % (window < size ? window : size);
		uint64_t word = next(random) % 3 ? next(random) : UINT64_MAX;

		if (next(random) % 4 == 0)
			at = size - 1 - at;
		switch (next(random) % 3) {
		case 0:
			data[at] ^= (unsigned char)(1 << next(random) % 8);
			break;
		case 1:
			data[at] = (unsigned char)word;
			break;
		default:
			memcpy(data + at, &word, size - at < 8 ? size - at : 8);
			break;
		}
	}
	return next(random) % 8 ? size : 1 + next(random) % size;
}

static size_t read_noise(void *context, taddr address, void *data, size_t size)
{
	struct random *random = context;

	(void)address;
	if (next(random) % 8 == 0)
		return 0;
	for (size_t i = 0; i < size; i++)
		((unsigned char *)data)[i] = (unsigned char)next(random);
	return size;
}

static char *no_maps(void *context, size_t *length_ret)
{
	(void)context;
	(void)length_ret;
	return NULL;
}

/** The parameters of two frames, one of them called by the other. */
static void ask_args(struct unwind_context *context, struct unwind_module *module,
	enum unwind_arch arch, struct random *random)
{
	static const struct unwind_source_ops ops = {.read = read_noise, .maps = no_maps};
	const struct unwind_source source = {&ops, random};
	struct unwind_space *space = unwind_space_create(context, arch);
	struct frame_regs regs[2] = {{.arch = arch}, {.arch = arch}};
	struct unwind_frame frames[2];
	struct unwind_stack stack = {.frames = frames, .count = 2};
	unsigned budget = 10000;
	struct arena arena = {0};

	stack_memory_begin(&context->memory, &source, 0x7fff0000, 4096);
	for (int i = 0; i < 2; i++) {
		uint64_t pc = module->files.file->headers.entry + next(random) % 8192 - 1024;

		frames[i] = (struct unwind_frame){.module = module,
			.pc = pc,
			.module_pc = pc,
			.cfa = next(random),
			.address = i ? FRAME_ADDRESS_RETURN : FRAME_ADDRESS_EXACT};
		for (unsigned j = 0; j < ARCH_REGISTERS_MAX; j++)
			frame_regs_set(&regs[i], j, next(random));
	}
	args_read(space, &source, &stack, regs, &budget, &arena);
	unwind_space_destroy(space);
	arena_deinit(&arena);
}

static void ask(struct unwind_context *context, struct unwind_module *module, struct random *random)
{
	const struct elf_headers *headers = &module->files.file->headers;

	for (int i = 0; i < ADDRESSES; i++) {
		struct unwind_frame frame = {.module = module, .address = FRAME_ADDRESS_EXACT};
		const struct arch *arch =
			arch_get(headers->machine == arch_i386.elf_machine ? UNWIND_ARCH_I386
									   : UNWIND_ARCH_X86_64);
		bool is_last;

		frame.module_pc = headers->entry + next(random) % 8192 - 1024;
		if (next(random) % 16 == 0)
			frame.module_pc = next(random);
		module_rule(module, arch, frame.module_pc, &is_last);
		unwind_describe(context, &frame);
		ask_args(context, module, arch->id, random);
	}
}

static void run(const unsigned char *original, size_t size, struct random *random)
{
	cleanup_free unsigned char *data = xmalloc(size);
	struct unwind_context *context = unwind_context_create(NULL);
	struct file_identity identity = {.inode = 1};
	struct unwind_module *module = module_create(context, &identity, "/nowhere/fuzzed");
	enum lookup_reason reason;
	struct elf_file *file;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	memcpy(data, original, size);
	size = damage(data, size, random);
	if (write(fd, data, size) == (ssize_t)size && (file = elf_file_open(fd, "fuzz", &reason))) {
		module_set_file(module, file, /* is_image= */ false);
		ask(context, module, random);
	}
	unwind_context_destroy(context);
}

/** In a process of its own, whose wait status is returned. */
static int run_apart(const unsigned char *original, size_t size, unsigned long seed)
{
	struct random random = {seed};
	pid_t child = fork();
	int status = -1;

	if (!child) {
		alarm(SECONDS_MOST);
		run(original, size, &random);
		// Not exit(): libelf 0.188 leaks what it could not read, and that is not our leak.
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
	cleanup_free unsigned char *original = NULL;
	size_t size;

	if (argc > 2)
		original = read_whole(argv[1], &size);
	if (!original) {
		fprintf(stderr, "usage: fuzz_module FILE ROUNDS [SEED]\n");
		return 2;
	}
	for (unsigned long i = 0; i < rounds; i++) {
		int status = run_apart(original, size, seed + i);

		if (!status)
			continue;
		fprintf(stderr, "round with seed %lu ended with status 0x%x\n", seed + i, status);
		return 1;
	}
	printf("%lu rounds\n", rounds);
	return 0;
}
