// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_NUMBER_SET_H
#define SRC_BASE_NUMBER_SET_H

/** A set of small numbers as a person writes it: `3,5`, `!0,1,2`, `all`, `none`. */

#include <stdbool.h>

#include "base/array.h"

struct error;

/** Zero-initialised is empty. */
struct number_set {
	ARRAY(int) numbers;
	/** All but the numbers. */
	bool inverted;
};

void number_set_deinit(struct number_set *set);
/** Replaces @set, or leaves it alone if @text is wrong; @what is what the numbers are. */
struct error *number_set_parse(struct number_set *set, const char *text, const char *what);
/** False for negative numbers. */
bool number_set_has(const struct number_set *set, int number);
/** Whether one of the numbers from @first to @last is in it. */
bool number_set_has_range(const struct number_set *set, unsigned first, unsigned last);
bool number_set_is_empty(const struct number_set *set);

#endif
