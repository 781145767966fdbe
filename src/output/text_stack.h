// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_STACK_H
#define SRC_OUTPUT_TEXT_STACK_H

/**
 * A stack as lines, innermost frame first, in the spelling of strace:
 *
 *      > FILE(FUNCTION+0xOFFSET) [0xADDRESS]
 *      > FILE(FUNCTION+0xOFFSET) [0xADDRESS] SOURCE:LINE
 *
 * ADDRESS is, without source lines, the place in FILE in bytes from its start; with
 * them it is the ELF address that addr2line takes, which is another number in files
 * not loaded at zero. Where there is no file it is the place in memory. With source
 * lines there is more than strace shows: inlined calls as frames of their own
 * (`> FILE(FUNCTION) [0xADDRESS] SOURCE:LINE (inlined)`), the kernel's entry to a
 * signal handler as `<signal handler called>`, and a `?` at the end of a frame
 * found by the frame pointer or a guess instead of an unwind rule.
 *
 * With the values of parameters, ` (NAME=VALUE, ...)` follows `FILE(FUNCTION+0xOFFSET)`.
 * In both forms `> ... N more of FUNCTION() ...`, or `> ... N more frames ...` where
 * they are many different ones, stands for frames left out, and
 * `> end: REASON` follows when the outermost frame was not reached.
 */

#include "output/output.h"

struct buf;
struct deferred;
struct frame_describer;
struct frame_texts;
struct unwind_frame;
struct unwind_stack;

/**
 * Pure in (describer, stack, form). @describer may be NULL: frames then have no names. @texts
 * keeps the lines of frames for the next time and must always get the same describer and form.
 * Frames that have to wait for names are left to @deferred, if it is not NULL.
 */
void text_stack(struct buf *buf, const struct frame_describer *describer, struct frame_texts *texts,
	struct deferred *deferred, const struct unwind_stack *stack, enum output_stack form);
/** The lines of one frame. */
void text_stack_frame(struct buf *buf, const struct frame_describer *describer,
	struct frame_texts *texts, const struct unwind_frame *frame, enum output_stack form);

#endif
