// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_ANNOTATE_H
#define SRC_DECODE_ANNOTATE_H

/** What is known about a value besides itself: notes on its node. */

#include <stdbool.h>
#include <stdint.h>

struct value;
struct walk;

/** The command name of a thread or process, if the options want it. */
void annotate_pid(struct walk *walk, struct value *value);
/** What a descriptor (or AT_FDCWD) stands for, as far as the options want it. */
void annotate_fd(struct walk *walk, struct value *value);
/**
 * The date of @seconds (and @nanoseconds) since 1970 in our time zone. Zero has none.
 * With @microseconds the fraction has six digits instead of nine.
 */
void annotate_date(struct walk *walk, struct value *value, int64_t seconds, uint64_t nanoseconds,
	bool microseconds);

#endif
