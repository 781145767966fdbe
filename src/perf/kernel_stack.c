// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/kernel_stack.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/parse.h"
#include "perf/kallsyms.h"

struct kernel_frame kernel_frame_at(
	const struct kallsyms *symbols, uint64_t address, bool is_return)
{
	const struct kernel_symbol *symbol =
		symbols ? kallsyms_find(symbols, address - is_return) : NULL;

	if (!symbol)
		return (struct kernel_frame){.address = address};
	return (struct kernel_frame){
		.address = address,
		.function = symbol->name,
		.offset = address - symbol->address,
		.module = symbol->module,
	};
}

struct kernel_stack kernel_stack_from_chain(
	const struct kallsyms *symbols, const uint64_t *chain, size_t count, struct arena *arena)
{
	struct kernel_stack stack = {.frames = arena_alloc(arena, count * sizeof(*stack.frames))};
	bool in_kernel = false;

	for (size_t i = 0; i < count; i++) {
		// Marks between addresses are the last few numbers there are.
		if (chain[i] >= PERF_CONTEXT_MAX) {
			in_kernel = chain[i] == PERF_CONTEXT_KERNEL;
		} else if (in_kernel) {
			stack.frames[stack.count] =
				kernel_frame_at(symbols, chain[i], stack.count > 0);
			stack.count++;
		}
	}
	return stack;
}

// A line without its end; false if it is not one of a stack.
static bool parse_line(
	const char *line, size_t length, struct arena *arena, struct kernel_frame *ret)
{
	const char *cursor = arena_strndup(arena, line, length), *end, *close;
	const char *name = strstr(cursor, "] ");

	if (cursor[0] != '[' || !name)
		return false;
	name += 2;
	end = strchr(name, '+');
	if (!end)
		return false;
	*ret = (struct kernel_frame){.function = arena_strndup(arena, name, (size_t)(end - name))};
	cursor = end + (strncmp(end, "+0x", 3) == 0 ? 3 : 1);
	parse_hex_at(&cursor, &ret->offset);
	name = strchr(cursor, '[');
	close = name ? strchr(name, ']') : NULL;
	if (close)
		ret->module = arena_strndup(arena, name + 1, (size_t)(close - name - 1));
	return true;
}

// The kernel on its way from the call to the tracer.
static bool is_stop(const char *function)
{
	static const char *const names[] = {
		"ptrace_stop",
		"ptrace_do_notify",
		"ptrace_notify",
		"syscall_trace_enter",
		"syscall_exit_work",
		"syscall_exit_to_user_mode_work",
		"syscall_exit_to_user_mode",
		"do_jobctl_trap",
		"get_signal",
	};

	// The compiler's clones have a suffix: ptrace_stop.part.0
	size_t length = strcspn(function, ".");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) == length && memcmp(function, names[i], length) == 0)
			return true;
	}
	return false;
}

struct kernel_stack kernel_stack_parse(const char *text, size_t length, struct arena *arena)
{
	ARRAY(struct kernel_frame) frames = {0};
	struct kernel_stack stack = {0};
	const char *end;

	for (const char *line = text; line < text + length; line = end + 1) {
		struct kernel_frame frame;

		end = memchr(line, '\n', (size_t)(text + length - line));
		if (!end)
			end = text + length;
		if (!parse_line(line, (size_t)(end - line), arena, &frame))
			continue;
		if (!frames.count && is_stop(frame.function))
			continue;
		*array_add(&frames) = frame;
	}
	stack.count = frames.count;
	if (frames.count)
		stack.frames = arena_copy(arena, frames.data, frames.count * sizeof(*frames.data));
	array_deinit(&frames);
	return stack;
}
