// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_GLOB_H
#define SRC_FILTER_GLOB_H

/**
 * Shell patterns for whole paths: `*` and `?` stay within a part, `**` goes through
 * any number of parts, `[a-z]` and `[!a-z]` are one character, `\` takes the next one
 * as it is. Time is bounded by the lengths of pattern and path multiplied.
 */

#include <stdbool.h>

struct glob;

/** Compiles the absolute @pattern. */
struct glob *glob_create(const char *pattern);
void glob_destroy(struct glob *glob);
/** Whether @path matches or, with @below, lies below a path that does. */
bool glob_match(const struct glob *glob, const char *path, bool below);

/** Whether @text has characters that are special in a pattern. */
bool glob_is(const char *text);

#endif
