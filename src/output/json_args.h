// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_JSON_ARGS_H
#define SRC_OUTPUT_JSON_ARGS_H

/** The parameters of a function as JSON; the members are described in doc/json.md. */

struct buf;
struct unwind_arg_list;

/** `"args":[...]` */
void json_args_member(struct buf *buf, const struct unwind_arg_list *args);

#endif
