// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_RELATION_H
#define SRC_SCHEMA_RELATION_H

/**
 * Expressions over the values of one call: conditions, lengths, selectors. Data
 * only; decode/eval computes them. All arithmetic is unsigned 64-bit, comparison
 * of equality too; division by zero gives zero.
 */

#include <stdint.h>

#include "schema/abi_id.h"

enum expr_op {
	/** constant[abi] */
	EXPR_CONSTANT,
	/** Argument @index of the signature, cut to its type. */
	EXPR_ARG,
	/** The number behind pointer argument @index; 0 if unreadable. */
	EXPR_ARG_TARGET,
	/** The 64-bit number with index @left behind pointer argument @index; 0 if unreadable. */
	EXPR_ARG_WORD,
	/** The call's result; only at exit. */
	EXPR_RET,
	/** 1 once the call has succeeded, 0 before. */
	EXPR_DONE,
	/** Parameter @index of the type being decoded. */
	EXPR_PARAM,
	/** Member @index of the struct being decoded (a number). */
	EXPR_MEMBER,
	/** @left within the struct that member @index is, or that argument @index points to. */
	EXPR_PATH,
	EXPR_ARG_PATH,
	/** Bytes from here to the end of the message or attribute being decoded. */
	EXPR_ROOM,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_AND,
	EXPR_OR,
	EXPR_SHIFT_LEFT,
	EXPR_SHIFT_RIGHT,
	EXPR_EQUAL,
	EXPR_NOT_EQUAL,
	EXPR_LESS,
	EXPR_LESS_EQUAL,
	EXPR_BOTH,
	EXPR_EITHER,
	EXPR_NOT,
	EXPR_MIN,
	EXPR_MAX,
};

struct expr {
	enum expr_op op;
	uint16_t index;
	uint64_t constant[ABI_COUNT];
	const struct expr *left;
	const struct expr *right;
};

#endif
