// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_JSON_STACK_H
#define SRC_OUTPUT_JSON_STACK_H

/** Stacks and places as JSON; doc/json.md, "Stacks" and "Page faults", is the specification. */

struct buf;
struct deferred;
struct event_fault;
struct frame_describer;
struct kernel_stack;
struct unwind_frame;
struct unwind_stack;

/**
 * The members "stack", "stack_end" and their like. @describer may be NULL: no names. Frames
 * that have to wait for names are left to @deferred, if it is not NULL.
 */
void json_stack_members(struct buf *buf, const struct frame_describer *describer,
	struct deferred *deferred, const struct unwind_stack *stack);
/** The elements for one frame, without a comma behind them. */
void json_stack_frame(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_frame *frame);
/** The member "kernel_stack". */
void json_kernel_stack_member(struct buf *buf, const struct kernel_stack *stack);
/** What a page fault is, without its stacks; doc/json.md, "Page faults". */
void json_fault_members(
	struct buf *buf, const struct frame_describer *describer, const struct event_fault *fault);

#endif
