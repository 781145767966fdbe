// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_FAULT_H
#define SRC_OUTPUT_TEXT_FAULT_H

/**
 * Page faults as perf-trace(1) shows them, and the kernel's part of a stack:
 *
 *     minfault [FUNCTION+0xOFFSET] => FILE@0xOFFSET (x.)
 *     majfault [FUNCTION+0xOFFSET] => [heap]@0xADDRESS (dk)
 *
 * The first letter says what was mapped there: x code, d data, ? nothing; the second who
 * wanted it: . the program, k the kernel for it. Memory without a file is [anon] or what
 * the kernel calls it, with the address instead of a place in a file.
 */

struct buf;
struct event_fault;
struct frame_describer;
struct kernel_stack;

/** Without prefix and newline. @describer may be NULL: functions then have no names. */
void text_fault(
	struct buf *buf, const struct frame_describer *describer, const struct event_fault *fault);
/** ` > [kernel](FUNCTION+0xOFFSET) [0xADDRESS]`, with the module's name instead of kernel. */
void text_kernel_stack(struct buf *buf, const struct kernel_stack *stack);

#endif
