// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_ARGS_H
#define SRC_OUTPUT_TEXT_ARGS_H

/**
 * The parameters of a function in the spelling of gdb's backtraces: ` (x=1, s=0x5580 "abc")`.
 * Structures are `...`, what the compiler did not keep is `<optimized out>`, what cannot be
 * read `<unavailable>`.
 */

struct buf;
struct unwind_arg_list;

void text_args(struct buf *buf, const struct unwind_arg_list *args);

#endif
