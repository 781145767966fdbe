// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/trial.h"

#include <stdlib.h>

enum {
	MS = 1000 * 1000,
	/** Windows of a comparison, half of them each way. */
	WINDOWS = 4,
	/** Intervals that still show the change itself. */
	IGNORED = 2,
	PAUSE_FIRST = 1 * MS,
	PAUSE_LEAST = 20 * MS,
	PAUSE_MOST = 1600 * MS,
	/** After that many refusals the pause is about the longest. */
	WARIEST = 6,
	/** The other way is chosen if it takes no more than this. */
	WORTH_PERCENT = 80,
	/** A window of the other way is given up when it takes that many times the plain one's. */
	ENDURED = 4,
};

static void start_window(struct trial *trial, bool other)
{
	trial->ignored = other == trial->other ? 0 : IGNORED;
	trial->other = other;
	trial->count = 0;
	trial->window_time = 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static uint64_t median(struct trial *trial)
{
	qsort(trial->intervals, TRIAL_WINDOW, sizeof(trial->intervals[0]), compare);
	return trial->intervals[TRIAL_WINDOW / 2];
}

// The same answer as before makes the pause longer.
static void settle(struct trial *trial, bool other, bool changed)
{
	trial->compares = false;
	trial->pause = changed || !trial->pause ? PAUSE_LEAST : 2 * trial->pause;
	if (trial->pause > PAUSE_MOST)
		trial->pause = PAUSE_MOST;
	trial->left = trial->pause;
	start_window(trial, other);
}

void trial_refuse(struct trial *trial)
{
	trial->promised = 0;
	settle(trial, false, true);
	trial->pause = trial->left = (uint64_t)PAUSE_LEAST << trial->wariness;
	if (trial->wariness < WARIEST)
		trial->wariness++;
}

static void start_comparison(struct trial *trial)
{
	trial->compares = true;
	trial->windows = 0;
	trial->sums[0] = trial->sums[1] = 0;
	start_window(trial, false);
}

static void decide(struct trial *trial)
{
	// The median does not show the rare long waits, which may be more on the other way. They
	// cannot outweigh what makes the typical interval so much shorter.
	bool better = trial->sums[true] < trial->sums[false] * WORTH_PERCENT / 100;
	bool was_better = trial->promised != 0;

	if (better && was_better && trial->wariness)
		trial->wariness--;

	trial->promised = better ? trial->sums[true] / (WINDOWS / 2) : 0;
	settle(trial, better, better != was_better);
}

static void end_window(struct trial *trial)
{
	uint64_t middle = median(trial);

	if (!trial->compares) {
		// It was better once, and is not any more.
		if (trial->other && middle > 2 * trial->promised)
			trial->left = 0;
		start_window(trial, trial->other);
		return;
	}
	trial->sums[trial->other] += middle;
	if (!trial->other)
		trial->plain_time = trial->window_time;
	if (++trial->windows == WINDOWS)
		decide(trial);
	else
		start_window(trial, !trial->other);
}

static void count_down(struct trial *trial, uint64_t ns)
{
	if (!trial->pause) {
		trial->pause = PAUSE_LEAST;
		trial->left = PAUSE_FIRST;
	}
	trial->left = trial->left > ns ? trial->left - ns : 0;
}

static void measure(struct trial *trial, uint64_t ns)
{
	trial->window_time += ns;
	if (trial->compares && trial->other && trial->window_time > ENDURED * trial->plain_time) {
		trial_refuse(trial);
		return;
	}
	if (trial->ignored) {
		trial->ignored--;
		return;
	}
	trial->intervals[trial->count++] = ns;
	if (trial->count == TRIAL_WINDOW)
		end_window(trial);
}

bool trial_step(struct trial *trial, uint64_t ns)
{
	bool before = trial->other;

	measure(trial, ns);
	if (!trial->compares) {
		count_down(trial, ns);
		if (!trial->left)
			start_comparison(trial);
	}
	return trial->other != before;
}
