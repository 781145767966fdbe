// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// For developers: `stack_of TID...` stops tasks and prints their stacks with all
// that is known about each frame, then `-n N` repeats the walk to measure it.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "live_source.h"
#include "unwind/module/module.h"
#include "unwind/unwind.h"

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void print_frame(struct unwind_context *context, const struct unwind_frame *frame, size_t i)
{
	const struct unwind_description *description = unwind_describe(context, frame);

	for (size_t j = 0; j < description->count; j++) {
		const struct unwind_location *location = &description->locations[j];

		printf("#%-3zu 0x%016" PRIx64 " %s(%s", i, frame->pc,
			frame->map_name ? frame->map_name : "unmapped",
			location->function ? location->function : "");
		if (location->function && !location->is_inlined)
			printf("+0x%" PRIx64, description->symbol_offset);
		printf(")");
		if (location->file)
			printf(" %s:%u:%u", location->file, location->line, location->column);
		printf("%s%s [%s]", location->is_inlined ? " inlined" : "",
			frame->is_signal_frame ? " <signal handler called>" : "",
			frame_origin_name(frame->origin));
		printf(" cfa 0x%" PRIx64 " reasons %d %d\n", frame->cfa, description->no_function,
			description->no_line);
	}
}

static void print_notes(const struct unwind_context *context, const struct unwind_frame *frame)
{
	(void)context;
	if (!frame->module)
		return;
	array_for_each (failure, &frame->module->files.failures) {
		struct buf text = {0};

		lookup_failure_describe(&text, failure);
		printf("     %s: %s: %s\n", frame->module->files.path, failure->path,
			buf_text(&text));
		buf_deinit(&text);
	}
}

static void measure(struct unwind_context *context, struct unwind_space *space,
	struct live_source *live, const struct frame_regs *regs, enum frame_address address,
	unsigned times)
{
	const struct unwind_source source = {&live_source_ops, live};
	struct unwind_stack stack = {0};
	struct arena arena = {0};
	double start = seconds();

	live->reads = live->maps_reads = 0;
	for (unsigned i = 0; i < times; i++) {
		arena_reset(&arena);
		unwind_walk(space, &source, regs, address, &arena, &stack);
	}
	printf("%u walks of %zu frames: %.2f us each, %.2f reads of memory, %u of maps\n", times,
		stack.count, 1e6 * (seconds() - start) / times, (double)live->reads / times,
		live->maps_reads);
	start = seconds();
	for (unsigned i = 0; i < times; i++) {
		for (size_t j = 0; j < stack.count; j++)
			unwind_describe(context, &stack.frames[j]);
	}
	printf("described again: %.3f us each stack\n", 1e6 * (seconds() - start) / times);
	arena_deinit(&arena);
}

static int show(struct unwind_context *context, pid_t pid, unsigned times)
{
	struct live_source live = {.pid = pid};
	const struct unwind_source source = {&live_source_ops, &live};
	enum frame_address address;
	struct unwind_stack stack;
	struct unwind_space *space;
	struct arena arena = {0};
	struct frame_regs regs;
	double start, middle;

	if (!live_stop(pid) || !live_regs(pid, &regs, &address)) {
		fprintf(stderr, "stack_of: cannot stop %d\n", pid);
		return 1;
	}
	space = unwind_space_create(context, regs.arch);
	start = seconds();
	unwind_walk(space, &source, &regs, address, &arena, &stack);
	middle = seconds();
	for (size_t i = 0; i < stack.count; i++)
		unwind_describe(context, &stack.frames[i]);
	printf("cold: walk %.0f us, names %.0f us\n", 1e6 * (middle - start),
		1e6 * (seconds() - middle));
	for (size_t i = 0; i < stack.count; i++) {
		if (stack.folded && i == stack.fold_at)
			printf("... %zu frames left out\n", stack.folded);
		print_frame(context, &stack.frames[i], i);
	}
	printf("end: %s 0x%" PRIx64 "\n", frame_end_text(stack.end), stack.end_address);
	for (size_t i = 0; i < stack.count; i++)
		print_notes(context, &stack.frames[i]);
	if (times)
		measure(context, space, &live, &regs, address, times);
	live_detach(pid);
	unwind_space_destroy(space);
	arena_deinit(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	struct unwind_context *context = unwind_context_create(NULL);
	unsigned times = 0;
	int result = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-n") && i + 1 < argc)
			times = (unsigned)strtoul(argv[++i], NULL, 0);
		else
			result |= show(context, (pid_t)strtol(argv[i], NULL, 0), times);
	}
	unwind_context_destroy(context);
	return result;
}
