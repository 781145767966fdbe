// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_VALUE_TREE_H
#define TESTS_UNIT_VALUE_TREE_H

/**
 * Short spellings of value nodes for tests of the outputs. The nodes live until
 * the end of the enclosing block; a node can be in one tree only.
 */

#include <string.h>

#include "decode/value.h"

#define NODE(...) (&(struct value){__VA_ARGS__})
#define INT(n) NODE(.kind = VALUE_NUMBER, .number = (uint64_t)(int64_t)(n), .size = 4)
#define UNSIGNED(n) NODE(.kind = VALUE_NUMBER, .radix = RADIX_UNSIGNED, .number = (n), .size = 8)
#define HEX(n) NODE(.kind = VALUE_NUMBER, .radix = RADIX_HEX, .number = (n), .size = 8)
#define MODE(n) NODE(.kind = VALUE_NUMBER, .radix = RADIX_MODE, .number = (n), .size = 2)
#define NAMED(text, n) NODE(.kind = VALUE_NAMED, .name = (text), .number = (n), .size = 4)
#define ADDRESS(n) NODE(.kind = VALUE_ADDRESS, .number = (n), .size = 8)
#define COUNTED(text, n) NODE(.kind = VALUE_BYTES, .bytes = (const uint8_t *)(text), .length = (n))
#define STRING(text) COUNTED(text, strlen(text))

/** @value with the label @text. */
static inline struct value *labelled(const char *text, struct value *value)
{
	value->label = text;
	return value;
}

/** @parent with the @count nodes at @children as its children. */
static inline struct value *adopt(struct value *parent, struct value *const *children, size_t count)
{
	for (size_t i = count; i--;) {
		children[i]->next = parent->first;
		parent->first = children[i];
	}
	return parent;
}

/** @parent with the nodes that follow as its children. */
#define WITH(parent, ...)                                                                          \
	adopt((parent), (struct value *[]){__VA_ARGS__},                                           \
		sizeof((struct value *[]){__VA_ARGS__}) / sizeof(struct value *))

#define STRUCT(...) WITH(NODE(.kind = VALUE_STRUCT), __VA_ARGS__)
#define LIST(...) WITH(NODE(.kind = VALUE_ARRAY), __VA_ARGS__)
#define SET(...) WITH(NODE(.kind = VALUE_BITSET), __VA_ARGS__)
#define FLAGS(n, ...) WITH(NODE(.kind = VALUE_FLAGS, .number = (n), .size = 4), __VA_ARGS__)
#define CALL(text, ...) WITH(NODE(.kind = VALUE_CALL, .name = (text)), __VA_ARGS__)
#define CHANGE(before, after) WITH(NODE(.kind = VALUE_CHANGE), before, after)
#define REF(address, target) WITH(NODE(.kind = VALUE_REF, .number = (address), .size = 8), target)

/** A note for NODE(.notes = …). */
#define NOTE(what, text, ...)                                                                      \
	(&(struct value_note){.kind = (what),                                                      \
		.bytes = (const uint8_t *)(text),                                                  \
		.length = sizeof(text) - 1,                                                        \
		__VA_ARGS__})

#endif
