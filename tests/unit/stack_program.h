// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_STACK_PROGRAM_H
#define TESTS_UNIT_STACK_PROGRAM_H

/**
 * Starts the programs of tests/stacks, which wait with a known stack, and walks
 * them. The environment gives STACKS, the folder of the programs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "live_source.h"
#include "unwind/unwind.h"

/** A program that waits in its read(). */
struct waiting {
	pid_t pid;
	/** The task to look at. */
	pid_t task;
	int output;
	int input;
};

/** A stack and what it takes to have it. */
struct walked {
	struct unwind_context *context;
	struct unwind_space *space;
	struct live_source live;
	struct frame_regs regs;
	enum frame_address address;
	struct arena arena;
	struct unwind_stack stack;
};

/** The path of @program; the caller frees it. */
char *program_path(const char *program);
/** Whether @program was built; says so if not. */
bool has_program(const char *program);
/** Starts @path with argument @mode (may be NULL) and waits until it waits. */
struct waiting start_path(const char *path, const char *mode);
/** The same for a program of tests/stacks. */
struct waiting start(const char *program, const char *mode);
/** Kills and reaps it. */
void stop(struct waiting *waiting);

/** Stops @task, whose root is @root (NULL: ours), walks its stack and lets go. */
void walk_in_root(
	struct walked *walked, pid_t task, const struct unwind_options *options, const char *root);
/** The same in our root. */
void walk(struct walked *walked, pid_t task, const struct unwind_options *options);
/** Walks once more from the registers in @walked; the task must be stopped. */
void walk_again(struct walked *walked);
/** Frees all of it. */
void drop(struct walked *walked);

/**
 * The index of the innermost frame that is not in the module of frame 0: behind the C
 * library's part of a system call, which is one frame or several.
 */
size_t own_frame(const struct walked *walked);
/** That frame @index has this innermost function, and a line or none. */
void assert_function(struct walked *walked, size_t index, const char *name, bool has_line);

#endif
