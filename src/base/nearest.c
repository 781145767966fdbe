// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/nearest.h"

#include <string.h>

#include "base/alloc.h"

enum {
	/** Longer words are not compared. */
	WORD_MAX = 40,
};

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

// One row of the table of distances after the other; a swap needs the row before the last.
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned rows[3][WORD_MAX + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_length; j++)
		before[j] = last[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *reuse = before;

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] = least(last[j] + 1, row[j - 1] + 1);
			row[j] = least(row[j], last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = reuse;
	}
	return last[b_length];
}

struct nearest nearest_begin(const char *word)
{
	size_t length = strlen(word);

	// A third of the letters, and not all of a short word.
	return (struct nearest){
		.word = word, .distance = length < 3 ? 0 : (unsigned)length / 3 + 1};
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	size_t length = strlen(nearest->word), other = strlen(candidate);
	unsigned distance;

	if (length > WORD_MAX || other > WORD_MAX)
		return;
	distance = distance_of(nearest->word, length, candidate, other);
	if (distance >= nearest->distance || distance > 2)
		return;
	nearest->distance = distance;
	nearest->best = candidate;
}

char *nearest_question(const struct nearest *nearest)
{
	return nearest->best ? xasprintf(" (did you mean '%s'?)", nearest->best) : xstrdup("");
}
