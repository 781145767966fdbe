// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_JSON_STACK_H
#define SRC_OUTPUT_JSON_STACK_H

/** A stack as JSON; doc/json.md, "Stacks", is the specification. */

struct buf;
struct unwind_context;
struct unwind_stack;

/** The members "stack", "stack_end" and their like. @context may be NULL: no names. */
void json_stack_members(
	struct buf *buf, struct unwind_context *context, const struct unwind_stack *stack);

#endif
