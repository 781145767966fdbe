// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_STACK_COMPARE_H
#define TESTS_UNIT_STACK_COMPARE_H

/**
 * Compares the stacks of waiting programs with what gdb says, or with what the source
 * says where gdb guesses. The environment gives GDB, the debugger or nothing, and
 * GDB_SCRIPT.
 */

#include "base/array.h"
#include "stack_program.h"

/** "NAME:LINE" of each frame, inlined ones too. */
struct list {
	ARRAY(char *) lines;
};

void list_deinit(struct list *list);
void list_ours(struct list *list, struct walked *walked);

/** That @program (skipped if it was not built), waiting in @mode, has the stack that gdb sees. */
void compare_with_gdb(const char *program, const char *mode);

#define GDB_CASE(name, program, mode)                                                              \
	CASE(name)                                                                                 \
	{                                                                                          \
		compare_with_gdb(program, mode);                                                   \
	}

/** Expected frames where gdb guesses otherwise. */
struct expected {
	const char *line;
	enum frame_origin origin;
};

/**
 * That the stack of @program in @mode has the @count frames, from the first one of that
 * name, and ends so.
 */
void expect(const char *program, const char *mode, enum frame_end end,
	const struct expected *expected, size_t count);

#endif
