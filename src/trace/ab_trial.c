// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/ab_trial.h"

#include <stdlib.h>

enum {
	MS = 1000 * 1000,
	/** Windows of a comparison at most, half of them each way. */
	WINDOWS = 16,
	/** Fewer will do if the answer is clear: below the one or above the other. */
	WINDOWS_CLEAR = 4,
	CLEARLY_BETTER_PERCENT = 60,
	CLEARLY_WORSE_PERCENT = 125,
	/** Otherwise the other way is chosen if it takes no more than this. */
	WORTH_PERCENT = 88,
	/** Intervals that still show the change itself. */
	IGNORED = 8,
	/** No interval counts for more than so many typical ones. */
	COUNTS_MOST = 4,
	PAUSE_FIRST = 1 * MS,
	PAUSE_LEAST = 20 * MS,
	PAUSE_MOST = 1600 * MS,
	/** The answer holds at least that long, and so many windows must speak against it. */
	HOLDS = 10 * MS,
	DOUBTS = 2,
	/** After that many refusals the pause is about the longest. */
	WARIEST = 6,
	/** A window of the other way is given up when it takes that many times the plain one's. */
	ENDURED = 4,
	ENDURED_LEAST = 8 * MS,
};

static void start_window(struct ab_trial *trial, bool other)
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

static uint64_t median(struct ab_trial *trial)
{
	qsort(trial->intervals, AB_TRIAL_WINDOW, sizeof(trial->intervals[0]), compare);
	return trial->intervals[AB_TRIAL_WINDOW / 2];
}

// The median would not show that every fourth interval is long, nor the mean anything but what
// the tasks themselves take now and then. So the long ones count, but only for so much.
static uint64_t mean(const struct ab_trial *trial)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < AB_TRIAL_WINDOW; i++)
		sum += trial->intervals[i] < trial->most ? trial->intervals[i] : trial->most;
	return sum / AB_TRIAL_WINDOW;
}

// The same answer as before makes the pause longer.
static void settle(struct ab_trial *trial, bool other, bool changed)
{
	trial->compares = false;
	trial->doubts = 0;
	trial->pause = changed || !trial->pause ? PAUSE_LEAST : 2 * trial->pause;
	if (trial->pause > PAUSE_MOST)
		trial->pause = PAUSE_MOST;
	trial->left = trial->pause;
	start_window(trial, other);
}

void ab_trial_refuse(struct ab_trial *trial)
{
	trial->promised = 0;
	settle(trial, false, true);
	trial->pause = trial->left = (uint64_t)PAUSE_LEAST << trial->wariness;
	if (trial->wariness < WARIEST)
		trial->wariness++;
}

static void start_comparison(struct ab_trial *trial)
{
	trial->compares = true;
	trial->windows = 0;
	trial->sums[0] = trial->sums[1] = 0;
	start_window(trial, false);
}

static void decide(struct ab_trial *trial, bool better)
{
	bool was_better = trial->promised != 0;

	if (better && was_better && trial->wariness)
		trial->wariness--;
	trial->promised = better ? trial->sums[true] / (trial->windows / 2) : 0;
	settle(trial, better, better != was_better);
}

// It was better once, and is not any more.
static bool doubts(struct ab_trial *trial)
{
	if (!trial->other || mean(trial) <= 2 * trial->promised)
		trial->doubts = 0;
	else
		trial->doubts++;
	return trial->doubts >= DOUBTS && trial->pause - trial->left >= HOLDS;
}

static void compare_window(struct ab_trial *trial)
{
	uint64_t percent;

	if (!trial->windows)
		trial->most = COUNTS_MOST * median(trial);
	if (!trial->other)
		trial->plain_time = trial->window_time;
	trial->sums[trial->other] += mean(trial);
	trial->windows++;
	percent = trial->sums[false] ? trial->sums[true] * 100 / trial->sums[false] : 100;
	if (trial->windows == WINDOWS)
		decide(trial, percent <= WORTH_PERCENT);
	else if (trial->windows == WINDOWS_CLEAR && percent < CLEARLY_BETTER_PERCENT)
		decide(trial, true);
	else if (trial->windows == WINDOWS_CLEAR && percent > CLEARLY_WORSE_PERCENT)
		decide(trial, false);
	else
		// Plain, other, other, plain …
		start_window(trial, (trial->windows + 1) / 2 % 2);
}

static void end_window(struct ab_trial *trial)
{
	if (trial->compares) {
		compare_window(trial);
		return;
	}
	if (doubts(trial))
		trial->left = 0;
	start_window(trial, trial->other);
}

static void count_down(struct ab_trial *trial, uint64_t ns)
{
	if (!trial->pause) {
		trial->pause = PAUSE_LEAST;
		trial->left = PAUSE_FIRST;
	}
	trial->left = trial->left > ns ? trial->left - ns : 0;
}

static void measure(struct ab_trial *trial, uint64_t ns)
{
	trial->window_time += ns;
	if (trial->compares && trial->other && trial->window_time > ENDURED_LEAST &&
		trial->window_time > ENDURED * trial->plain_time) {
		ab_trial_refuse(trial);
		return;
	}
	if (trial->ignored) {
		trial->ignored--;
		return;
	}
	trial->intervals[trial->count++] = ns;
	if (trial->count == AB_TRIAL_WINDOW)
		end_window(trial);
}

bool ab_trial_step(struct ab_trial *trial, uint64_t ns)
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
