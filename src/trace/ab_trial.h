// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_AB_TRIAL_H
#define SRC_TRACE_AB_TRIAL_H

/**
 * Chooses between two ways to do the same thing over and over by how long it takes, and asks
 * again from time to time, since the answer changes with what else the machine does. Pure:
 * it is told intervals and says which way to go. The time spent on a way that turns out to
 * be worse is kept to a few hundredths of the whole.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	/** Intervals that are measured before the way is changed. */
	AB_TRIAL_WINDOW = 32,
};

/** Zero-initialised: nothing is known, the plain way is gone. */
struct ab_trial {
	/** The other way is to be gone now, not the plain one. */
	bool other;
	/** The two are being compared. */
	bool compares;
	/** Windows of this comparison so far, and the sums of their means by way. */
	unsigned windows;
	uint64_t sums[2];
	/** What an interval counts at most. */
	uint64_t most;
	/** Time the last window of the plain way took. */
	uint64_t plain_time;
	/** Intervals of this window; the first ones after a change do not count. */
	uint64_t intervals[AB_TRIAL_WINDOW];
	unsigned count, ignored;
	uint64_t window_time;
	/** Until the next comparison: how long that is in general, and what is left. In ns. */
	uint64_t pause, left;
	/** How often the other way did harm lately. */
	unsigned wariness;
	/** The mean when the other way was chosen; more than twice that, repeatedly, asks anew. */
	uint64_t promised;
	unsigned doubts;
};

/** An interval of @ns passed. True if trial.other changed. */
bool ab_trial_step(struct ab_trial *trial, uint64_t ns);
/** The other way does harm, or cannot be gone: back to the plain one, for a good while. */
void ab_trial_refuse(struct ab_trial *trial);

#endif
