// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_KERNEL_STACK_H
#define SRC_PERF_KERNEL_STACK_H

/**
 * Where a task is inside the kernel: from the call chain of a page fault, or for
 * a task that sleeps or is stopped from the text of /proc/TID/stack.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct kallsyms;

struct kernel_frame {
	/** 0 when only the name is known. */
	uint64_t address;
	/** NULL when unknown. */
	const char *function;
	/** Distance of the address from the function's start. */
	uint64_t offset;
	/** NULL for the kernel itself. */
	const char *module;
};

/** Innermost first. */
struct kernel_stack {
	struct kernel_frame *frames;
	size_t count;
};

/**
 * The frame at @address, where a function goes on after a call (@is_return) or stands; its
 * strings belong to @symbols, which may be NULL.
 */
struct kernel_frame kernel_frame_at(
	const struct kallsyms *symbols, uint64_t address, bool is_return);
/** The kernel's part of a perf call chain, in @arena. */
struct kernel_stack kernel_stack_from_chain(
	const struct kallsyms *symbols, const uint64_t *chain, size_t count, struct arena *arena);
/**
 * From "[<0>] do_sys_poll+0x1f/0x60 [module]" lines, in @arena. What belongs to ptrace's own
 * stop and not to the call is left out.
 */
struct kernel_stack kernel_stack_parse(const char *text, size_t length, struct arena *arena);

#endif
