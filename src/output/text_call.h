// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_CALL_H
#define SRC_OUTPUT_TEXT_CALL_H

/**
 * A call in pieces: `NAME(` with the arguments known at entry, the others, the
 * result. What is between two pieces (other lines) is the caller's business.
 */

#include "output/text_style.h"

struct buf;
struct call;

/** The call's name, or `syscall_0x1f4`. */
void text_call_name(struct buf *buf, const struct call *call);
/** `NAME(` and what is known at entry; ends in ", " if more arguments follow. */
void text_call_begin(struct buf *buf, const struct call *call, const struct text_style *style);
/** The arguments that were not known at entry, and `)`. */
void text_call_rest(struct buf *buf, const struct call *call, const struct text_style *style);
/** `3</etc/passwd>`, `-1 ENOENT (No such file or directory)`, `1 ([{...}])`, `?` */
void text_call_result(struct buf *buf, const struct call *call, const struct text_style *style);
/** Lines below the call: what it read or wrote, in hexadecimal and as text. */
void text_call_data(struct buf *buf, const struct call *call);

#endif
