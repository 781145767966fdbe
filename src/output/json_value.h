// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_JSON_VALUE_H
#define SRC_OUTPUT_JSON_VALUE_H

/** Values as JSON; doc/json.md, "Values", is the specification. */

struct buf;
struct value;

/**
 * A value where any JSON value may stand: itself (3, "text", {"tv_sec":1}), or,
 * when more is known, an object of the members json_value_members() writes.
 */
void json_value(struct buf *buf, const struct value *value);
/** `"value":...,` and what else is known, for an object that the caller opened. */
void json_value_members(struct buf *buf, const struct value *value);

#endif
