// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/schedule.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "proc/schedstat.h"

enum {
	/** Stops between two looks at where the task that stops runs. */
	LOOK_EVERY = 8,
	/** A silence after which we ask whether it was we who did not get the CPU. */
	SILENCE_NS = 2 * 1000 * 1000,
	/** So often something else must look like that. */
	SUSPICIONS = 4,
};

// To leave SCHED_IDLE needs the right to become nicer to oneself (sched(7)).
static bool may_leave_idle(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];
	struct rlimit nice;

	if (syscall(SYS_capget, &header, data) == 0 &&
		data[CAP_TO_INDEX(CAP_SYS_NICE)].effective & CAP_TO_MASK(CAP_SYS_NICE))
		return true;
	return getrlimit(RLIMIT_NICE, &nice) == 0 && nice.rlim_cur >= 20;
}

void schedule_init(struct schedule *schedule, enum schedule_choice choice)
{
	*schedule = (struct schedule){.choice = choice, .stat = -1, .cpu = -1};
	schedule->policy = sched_getscheduler(0);
	if (sched_getaffinity(0, sizeof(schedule->affinity), &schedule->affinity) != 0 ||
		sched_getparam(0, &schedule->param) != 0 || CPU_COUNT(&schedule->affinity) < 2)
		schedule->choice = SCHEDULE_OFF;
	schedule->may_idle = schedule->policy == SCHED_OTHER && may_leave_idle();
}

static void forget_task(struct schedule *schedule)
{
	if (schedule->stat >= 0)
		close(schedule->stat);
	schedule->stat = -1;
	schedule->tid = 0;
}

void schedule_restore(struct schedule *schedule)
{
	if (schedule->way == SCHEDULE_IDLE)
		sched_setscheduler(0, schedule->policy, &schedule->param);
	if (schedule->cpu >= 0)
		sched_setaffinity(0, sizeof(schedule->affinity), &schedule->affinity);
	schedule->way = SCHEDULE_PLAIN;
	schedule->cpu = -1;
}

void schedule_deinit(struct schedule *schedule)
{
	schedule_restore(schedule);
	forget_task(schedule);
	schedstat_pool_deinit(&schedule->accounts);
}

// The CPU the task ran on last: field 39 of /proc/TID/stat, the 37th after the name.
static int task_cpu(struct schedule *schedule)
{
	char path[32], text[1024];
	const char *cursor;
	ssize_t length;

	if (schedule->stopped != schedule->tid) {
		forget_task(schedule);
		schedule->tid = schedule->stopped;
		snprintf(path, sizeof(path), "/proc/%d/stat", schedule->tid);
		schedule->stat = open(path, O_RDONLY | O_CLOEXEC);
	}
	length = pread(schedule->stat, text, sizeof(text) - 1, 0);
	text[length < 0 ? 0 : length] = '\0';
	cursor = strrchr(text, ')');
	for (int field = 2; cursor && field < 39; field++)
		cursor = strchr(cursor + 1, ' ');
	return cursor ? atoi(cursor + 1) : -1;
}

static bool go_to_task(struct schedule *schedule)
{
	int cpu = task_cpu(schedule);
	cpu_set_t set;

	schedule->since_look = 0;
	if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &schedule->affinity))
		return false;
	if (cpu == schedule->cpu)
		return true;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		return false;
	schedule->cpu = cpu;
	return true;
}

// A short file; "" if it cannot be read.
static void read_file(const char *path, char *text, size_t size)
{
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, size - 1);

	text[length < 0 ? 0 : length] = '\0';
}

// Who wants to run now, we and the task included: the fourth field of /proc/loadavg.
static unsigned runnable(void)
{
	char text[128];
	unsigned count;

	read_file("/proc/loadavg", text, sizeof(text));
	return sscanf(text, "%*s %*s %*s %u/", &count) == 1 ? count : UINT16_MAX;
}

static struct schedstat account(struct schedule *schedule, int tid)
{
	struct schedstat ret;

	return schedstat_read(&schedule->accounts, tid, &ret) ? ret : (struct schedstat){0};
}

static uint64_t time_waited(struct schedule *schedule)
{
	return account(schedule, gettid()).waited;
}

// What is worth trying. With others about, a SCHED_IDLE task may starve; but if the others are
// tasks of ours that stop all the time, it does not. So both are tried in turn.
static enum schedule_way other_way(const struct schedule *schedule)
{
	bool alone = runnable() <= (unsigned)CPU_COUNT(&schedule->affinity);
	enum schedule_way quiet = schedule->may_idle ? SCHEDULE_IDLE : SCHEDULE_AWAKE;

	return alone || schedule->candidate == SCHEDULE_ON_CPU ? quiet : SCHEDULE_ON_CPU;
}

static bool enter(struct schedule *schedule, enum schedule_way way)
{
	const struct sched_param param = {0};

	if (way == SCHEDULE_PLAIN)
		return true;
	if (way != SCHEDULE_AWAKE && !go_to_task(schedule))
		return false;
	if (way == SCHEDULE_IDLE && sched_setscheduler(0, SCHED_IDLE, &param) != 0)
		return false;
	if (way == SCHEDULE_IDLE)
		schedule->waited = time_waited(schedule);
	schedule->suspicions = 0;
	schedule->suspect = 0;
	schedule->way = way;
	return true;
}

static void go_other_way(struct schedule *schedule)
{
	// What was better is compared again as long as it is.
	if (schedule->trial.compares && schedule->trial.windows == 1 && !schedule->trial.promised)
		schedule->candidate = other_way(schedule);
	if (enter(schedule, schedule->candidate))
		return;
	schedule_restore(schedule);
	ab_trial_refuse(&schedule->trial);
}

// Whether others came and a SCHED_IDLE task does not get the CPU any more. If the task that
// stopped ran while we waited, it was only that one's turn: to know that takes two looks at it.
static bool starves(struct schedule *schedule, uint64_t interval)
{
	uint64_t waited = schedule->waited, ran = schedule->ran;
	bool same = schedule->suspect == schedule->stopped;

	if (schedule->way != SCHEDULE_IDLE || interval < SILENCE_NS)
		return false;
	schedule->waited = time_waited(schedule);
	if (schedule->waited - waited <= interval / 2)
		return false;
	schedule->ran = account(schedule, schedule->stopped).ran;
	schedule->suspect = schedule->stopped;
	if (same && schedule->ran - ran <= (schedule->waited - waited) / 2)
		return true;
	if (same)
		schedule->suspicions = 0;
	return ++schedule->suspicions > SUSPICIONS;
}

static void keep_up(struct schedule *schedule)
{
	if (schedule->cpu < 0 || ++schedule->since_look < LOOK_EVERY)
		return;
	if (!go_to_task(schedule)) {
		schedule_restore(schedule);
		ab_trial_refuse(&schedule->trial);
	}
}

static void measure(struct schedule *schedule, uint64_t interval)
{
	if (starves(schedule, interval)) {
		schedule_restore(schedule);
		ab_trial_refuse(&schedule->trial);
	} else {
		ab_trial_step(&schedule->trial, interval);
	}
	if (!schedule->trial.other && schedule->way != SCHEDULE_PLAIN)
		schedule_restore(schedule);
	else if (schedule->trial.other && schedule->way == SCHEDULE_PLAIN)
		go_other_way(schedule);
}

// Without asking whether it pays.
static void follow(struct schedule *schedule, uint64_t interval)
{
	bool starved = starves(schedule, interval);

	if (starved)
		schedule_restore(schedule);
	if (schedule->way != SCHEDULE_PLAIN)
		return;
	schedule->candidate = starved ? SCHEDULE_ON_CPU : other_way(schedule);
	if (schedule->candidate == SCHEDULE_AWAKE)
		schedule->candidate = SCHEDULE_ON_CPU;
	enter(schedule, schedule->candidate);
}

void schedule_stop(struct schedule *schedule, int tid)
{
	uint64_t time, interval;

	schedule->stops[schedule->way]++;
	if (schedule->choice == SCHEDULE_OFF)
		return;
	time = monotonic_ns();
	interval = time - schedule->last;
	schedule->last = time;
	schedule->stopped = tid;
	if (schedule->choice == SCHEDULE_AUTO)
		measure(schedule, interval);
	else
		follow(schedule, interval);
	keep_up(schedule);
}
