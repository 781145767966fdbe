// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_NEAREST_H
#define SRC_BASE_NEAREST_H

/**
 * Which of many words somebody may have meant: the one with the least edit distance
 * (Damerau-Levenshtein, adjacent letters swapped count one), if that is small.
 */

#include <stddef.h>

/** Begin with nearest_begin(). */
struct nearest {
	/** Borrowed. */
	const char *word;
	/** The best so far, borrowed, or NULL: nothing is near enough. */
	const char *best;
	unsigned distance;
};

struct nearest nearest_begin(const char *word);
/** Another word that it could be. */
void nearest_try(struct nearest *nearest, const char *candidate);
/** " (did you mean 'WORD'?)", or "" if nothing is near; allocated. */
char *nearest_question(const struct nearest *nearest);

#endif
