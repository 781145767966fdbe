// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ARG_H
#define UNWIND_ARG_H

/**
 * The values of a function's parameters, as data. They are read while the task is
 * stopped and need nothing of it any more.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

enum unwind_arg_kind {
	/** The compiler did not keep the value here. */
	UNWIND_ARG_OPTIMIZED_OUT,
	/** It has a value, but where we cannot read it, or in a form we cannot. */
	UNWIND_ARG_UNAVAILABLE,
	/** A structure, union or array. */
	UNWIND_ARG_AGGREGATE,
	/** A pointer to something whose value is known but which is nowhere. */
	UNWIND_ARG_SYNTHETIC_POINTER,
	/** @number is an int64_t. */
	UNWIND_ARG_SIGNED,
	UNWIND_ARG_UNSIGNED,
	/** @number is 0 or 1. */
	UNWIND_ARG_BOOL,
	/** A character of one byte; @number is an int64_t. */
	UNWIND_ARG_CHARACTER,
	/** @real; @size says how exact it is. */
	UNWIND_ARG_REAL,
	/** @number is an address; @text the name of the function there, or NULL. */
	UNWIND_ARG_POINTER,
	/** @number is an address; @text are @length characters there, and more if @is_cut. */
	UNWIND_ARG_STRING,
	/** @number is an int64_t; @text its names, "A" or "(A | B)". */
	UNWIND_ARG_ENUM,
};

struct unwind_arg {
	/** NULL: the source gives it none. */
	const char *name;
	enum unwind_arg_kind kind;
	/** Bytes of the value. */
	uint8_t size;
	bool is_cut;
	/** The parameter is a reference; the rest is what it refers to, at @address. */
	bool is_reference;
	taddr address;
	union {
		uint64_t number;
		double real;
	};
	const char *text;
	size_t length;
};

/** Of one function or inlined call. */
struct unwind_arg_list {
	const struct unwind_arg *args;
	size_t count;
};

#endif
