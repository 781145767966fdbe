// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_SCHEDULE_H
#define SRC_TRACE_SCHEDULE_H

/**
 * On which CPU, and how urgently, the tracer runs. Every stop is a change from the task to
 * us and back; where we wake up decides what that costs: on another CPU that sleeps it is ten
 * times what it is on the task's own. So we follow the task's CPU, and as a SCHED_IDLE task
 * where we may, so that the CPU counts as free and the task stays. Where we may not, we wait
 * awake for a moment. Whether any of this helps depends on the machine and on what else
 * it does, so it is measured all the time (ab_trial.h). Only our own thread's affinity and policy
 * are ever changed, and only while tasks are traced.
 */

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "proc/schedstat.h"
#include "trace/ab_trial.h"

enum schedule_choice {
	SCHEDULE_AUTO,
	SCHEDULE_FOLLOW,
	SCHEDULE_OFF,
};

enum schedule_way {
	/** As the kernel decides. */
	SCHEDULE_PLAIN,
	/** On the task's CPU. */
	SCHEDULE_ON_CPU,
	/** The same, as SCHED_IDLE. */
	SCHEDULE_IDLE,
	/** Anywhere, but awake. */
	SCHEDULE_AWAKE,
	SCHEDULE_WAYS,
};

struct schedule {
	enum schedule_choice choice;
	struct ab_trial trial;
	/** The way that is gone now, and the one the plain way is compared with. */
	enum schedule_way way, candidate;
	/** May leave SCHED_IDLE again. */
	bool may_idle;
	/** As we were found. */
	cpu_set_t affinity;
	int policy;
	struct sched_param param;
	/** The task that stopped last; the one that was looked at last, and its stat file or -1. */
	int stopped, tid, stat;
	/** The CPU we are on, if we follow; stops since we looked where the task is. */
	int cpu;
	unsigned since_look;
	uint64_t last;
	/** Stops so far, by the way that was gone. */
	uint64_t stops[SCHEDULE_WAYS];
	/**
	 * When we last seemed to starve: how long we had waited for a CPU, how long the task that
	 * stopped had run, which that was; and how often it looked like that.
	 */
	uint64_t waited, ran;
	int suspect;
	unsigned suspicions;
	struct schedstat_pool accounts;
};

void schedule_init(struct schedule *schedule, enum schedule_choice choice);
/** Back to how we were found. It may be used on. */
void schedule_restore(struct schedule *schedule);
void schedule_deinit(struct schedule *schedule);
/** Task @tid stopped at a system call. */
void schedule_stop(struct schedule *schedule, int tid);
/** Whether to wait awake for the next stop, but not for longer than SCHEDULE_AWAKE_NS. */
static inline bool schedule_is_awake(const struct schedule *schedule)
{
	return schedule->way == SCHEDULE_AWAKE;
}

enum {
	SCHEDULE_AWAKE_NS = 50 * 1000,
};

#endif
